#!/bin/sh
# The first process of the machine that user-quota.test.ts boots. What the guest sees leaves by a serial line of its
# own: no message of the kernel comes between, and closing it waits until all has left.
set -e
export PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C
mount -t proc proc /proc
trap off EXIT
off() {
  echo o >/proc/sysrq-trigger
  while :; do sleep 1; done
}
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
modprobe -a virtio_pci virtio_blk xfs quota_v2
mkdir /mnt/ext4 /mnt/xfs /mnt/none
mount -t ext4 -o usrquota /dev/vda /mnt/ext4
mount -t xfs -o uquota /dev/vdb /mnt/xfs
mount -t ext4 /dev/vdc /mnt/none
bun /panel/test/usage/kernel/guest.ts >/dev/ttyS1
