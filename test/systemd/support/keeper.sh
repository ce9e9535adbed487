#!/bin/sh
# A machine's surroundings: mounts, processes and network of their own, which the kernel takes down with this
# process, and this process ends when its standard input does. Arguments: directory, where Bun's downloads are.
set -eu
directory=$1
downloads=$2
mount --make-rprivate /
mount -t tmpfs -o size=6g,mode=755 tmpfs "$directory"
mkdir "$directory/changes" "$directory/work" "$directory/root"
mount -t overlay -o "lowerdir=/,upperdir=$directory/changes,workdir=$directory/work" overlay "$directory/root"
# The machine has no network: its packages come from what was downloaded here.
packages="$directory/root/root/.bun/install/cache"
mkdir -p "$packages" "$directory/packages" "$directory/packages.work"
mount -t overlay -o "lowerdir=$downloads,upperdir=$directory/packages,workdir=$directory/packages.work" overlay "$packages"
# The panel's data on a file system that counts by client, as a production machine would have.
rm -rf "$directory/root/var/lib/controlpanel"
mkdir "$directory/root/var/lib/controlpanel"
truncate --size=1G "$directory/data"
mkfs.btrfs --quiet "$directory/data"
mount -o loop "$directory/data" "$directory/root/var/lib/controlpanel"
btrfs quota enable "$directory/root/var/lib/controlpanel"
ip link set lo up
echo ready
# shellcheck disable=SC2162 # nothing is read: this waits for the end
while read _; do :; done
