#!/bin/sh
# The first process of the kernel that user-quota.test.ts boots: the host's files, read only, and disks of its own.
# Arguments, by the kernel's command line: directory of the test, program, script.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/run TMPDIR=/run
export BUN_RUNTIME_TRANSPILER_CACHE_PATH=0
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /mnt
for module in quota_tree quota_v2; do
  insmod "/usr/lib/uml/modules/$(uname -r)/kernel/fs/quota/$module.ko"
done
mkdir /mnt/ext4 /mnt/xfs /mnt/none
mount -t ext4 -o usrquota /dev/ubdb /mnt/ext4
mount -t xfs -o uquota /dev/ubdc /mnt/xfs
mount -t ext4 /dev/ubdd /mnt/none
# shellcheck disable=SC2154 # from the kernel's command line
"$cp_bun" "$cp_guest"
echo o >/proc/sysrq-trigger
while :; do sleep 1; done
