#!/bin/sh
# The first process of the machine that machine.ts boots: this machine's files, of which none can be changed, a kernel
# of its own, and control groups of version 2 alone. Its arguments are the checkout, a path of Bun, and the program.
# What the program says leaves by a serial line of its own: no message of the kernel comes between, and closing it
# waits until all has left.
set -e
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C
mount -t proc proc /proc
trap off EXIT
off() {
  echo o >/proc/sysrq-trigger
  while :; do sleep 1; done
}
mount -t devtmpfs devtmpfs /dev
modprobe -a virtio_pci virtio_blk virtiofs overlay xfs quota_v2
mkdir /below /above /new
mount -t virtiofs -o ro machine /below
mount -t tmpfs tmpfs /above
mkdir /above/files /above/work
mount -t overlay -o lowerdir=/below,upperdir=/above/files,workdir=/above/work overlay /new
mount -t proc proc /new/proc
mount -t sysfs sysfs /new/sys
mount -t cgroup2 cgroup2 /new/sys/fs/cgroup
mount -t devtmpfs devtmpfs /new/dev
mkdir -p /new/dev/pts /new/dev/shm
mount -t devpts devpts /new/dev/pts
mount -t tmpfs tmpfs /new/dev/shm
mount -t tmpfs tmpfs /new/run
mkdir /new/run/lock /new/run/php
# Users are added here, for which files are linked.
mount -t tmpfs tmpfs /new/etc
cp -a /below/etc/. /new/etc
chroot /new ip link set lo up
# shellcheck disable=SC2016 # expanded by the inner shell
chroot /new sh -c 'cd "$1" && PATH=${2%/*}:$PATH HOME=/root exec "$2" "$3"' sh "$@" >/dev/ttyS1 2>&1
