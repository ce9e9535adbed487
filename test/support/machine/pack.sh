#!/bin/sh
# Makes what machine.ts boots: the kernel `vmlinuz`, and `files` for its memory, which hold the kernel's modules and
# what the first process needs before it has this machine's files.
# Arguments: the directory for both, and the kernel as unpack.sh leaves it.
set -eu
PATH=/usr/sbin:/usr/bin:/sbin:/bin
directory=$1 kernel=$2
here=$(cd "$(dirname "$0")" && pwd)
version=$(ls "$kernel/lib/modules")
root=$directory/root
for name in dev proc; do
  mkdir -p "$root/$name"
done
cp "$here/init.sh" "$root/init"
chmod 755 "$root/init"

programs=/bin/sh
for name in chroot cp mkdir mount modprobe sleep; do
  path=$(command -v "$name") || { echo "$name is missing" >&2; exit 1; }
  programs="$programs $path"
done
# shellcheck disable=SC2086 # lists of names without blanks
libraries=$(ldd $programs | grep -o '/[^ ]* (0x' | sed 's/ .*//' | sort -u)
# shellcheck disable=SC2086
cp -L --parents $programs $libraries "$root"

cd "$kernel"
for name in virtio_pci virtio_blk virtiofs overlay xfs quota_v2; do
  modprobe -d "$kernel" -S "$version" --show-depends "$name"
done | sed -n 's|^insmod .*/\(lib/modules/[^ ]*\).*|\1|p' | sort -u |
  xargs cp -t "$root" --parents "lib/modules/$version"/modules.*
cp "boot/vmlinuz-$version" "$directory/vmlinuz"
cd "$root"
find . | cpio --quiet -o -H newc -R 0:0 >"$directory/files"
rm -rf "$root"
