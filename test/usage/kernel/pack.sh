#!/bin/sh
# Makes what the machine of user-quota.test.ts boots: the kernel `vmlinuz`, and `files` for its memory, which hold the
# kernel's modules, this machine's programs at their places, and the panel's sources below /panel.
# Arguments: the directory for both, the kernel as unpack.sh leaves it, Bun.
set -eu
PATH=/usr/sbin:/usr/bin:/sbin:/bin
directory=$1 kernel=$2 bun=$3
checkout=$(cd "$(dirname "$0")/../../.." && pwd)
version=$(ls "$kernel/lib/modules")
root=$directory/root
for name in dev etc mnt panel proc sys tmp usr/bin; do
  mkdir -p "$root/$name"
done
cp -L "$bun" "$root/usr/bin/bun"
cp "$checkout/test/usage/kernel/init.sh" "$root/init"
chmod 755 "$root/init"
ln -s /proc/self/mounts "$root/etc/mtab"

programs=/bin/sh
for name in dd ionice mkdir mount nice rm setpriv sleep touch modprobe repquota setquota; do
  path=$(command -v "$name") || { echo "$name is missing" >&2; exit 1; }
  programs="$programs $path"
done
# shellcheck disable=SC2086 # lists of names without blanks
libraries=$(ldd $programs "$bun" | grep -o '/[^ ]* (0x' | sed 's/ .*//' | sort -u)
# shellcheck disable=SC2086
cp -L --parents $programs $libraries "$root"
(cd "$checkout" && cp --parents deploy/node/usage/*.ts test/usage/kernel/guest.ts "$root/panel")

cd "$kernel"
for name in virtio_pci virtio_blk xfs quota_v2; do
  modprobe -d "$kernel" -S "$version" --show-depends "$name"
done | sed -n 's|^insmod .*/\(lib/modules/[^ ]*\).*|\1|p' | sort -u |
  xargs cp -t "$root" --parents "lib/modules/$version"/modules.*
cp "boot/vmlinuz-$version" "$directory/vmlinuz"
cd "$root"
find . | cpio --quiet -o -H newc -R 0:0 >"$directory/files"
rm -rf "$root"
