#!/bin/sh
# Runs a command with processes, network (loopback), users, /etc and /run of its own, so that several folders' tests run
# at a time and none meets another's ports, users or services. Called in namespaces of its own by test/worlds.ts, with
# an empty directory that stays empty outside.
set -eu
changes=$1
shift
mount --make-rprivate /
mount -t tmpfs -o mode=0755 tmpfs "$changes"
mkdir "$changes/files" "$changes/work"
mount -t overlay -o "lowerdir=/etc,upperdir=$changes/files,workdir=$changes/work" overlay /etc
mount -t tmpfs -o mode=0755 tmpfs /run
mkdir /run/lock /run/php
ip link set lo up
"$@"
