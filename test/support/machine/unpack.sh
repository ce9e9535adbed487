#!/bin/sh
# Unpacks Debian's kernel for virtual machines into a directory, once. It is not installed, since that would make
# this machine's next boot one of it.
set -eu
PATH=/usr/sbin:/usr/bin:/sbin:/bin
kernel=$1
[ ! -d "$kernel" ] || exit 0
mkdir -p "$(dirname "$kernel")"
work=$(mktemp -d "$kernel.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
[ "$(id -u)" != 0 ] || apt-get -qq update >&2 || true
package=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/^ *Depends: //p')
# Apt would fetch as a user of its own, who may not write here.
(cd "$work" && apt-get -qq -o APT::Sandbox::User=root download "$package" >&2)
dpkg -x "$work/$package"_*.deb "$work/kernel"
for version in "$work"/kernel/lib/modules/*; do
  depmod -b "$work/kernel" "${version##*/}"
done
mv -T "$work/kernel" "$kernel"
