#!/bin/sh
# Runs a command with processes, network (loopback), users, /etc, /run and temporary files of its own, so that several
# folders' tests run at a time and none meets another's ports, users, services or files. Called in namespaces of its own
# by test/worlds.ts, with an empty directory for what it leaves behind.
set -eu
changes=$1
shift
mount --make-rprivate /
mkdir -m 0755 "$changes/etc"
mkdir -m 1777 "$changes/tmp"
mount -t tmpfs -o mode=0755 tmpfs "$changes/etc"
mkdir "$changes/etc/files" "$changes/etc/work"
mount -t overlay -o "lowerdir=/etc,upperdir=$changes/etc/files,workdir=$changes/etc/work" overlay /etc
mount -t tmpfs -o mode=0755 tmpfs /run
mkdir /run/lock /run/php
temporary=${TMPDIR:-/tmp}
# What is needed of it stays where it is: the checkout, and the packages that Bun keeps in the home.
for kept in "$PWD" "${HOME:-/root}"; do
  [ -d "$kept" ] || continue
  case $kept in
  "$temporary"/*)
    here=$changes/tmp${kept#"$temporary"}
    mkdir -p "$here"
    mount --bind "$kept" "$here"
    ;;
  esac
done
mount --rbind "$changes/tmp" "$temporary"
ip link set lo up
"$@"
