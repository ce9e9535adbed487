#!/bin/sh
# Replaces the installed panel by the one of this checkout. Sites and names are answered throughout; where the
# new version does not come up, the former one and its database are put back.
checkout=$(cd "$(dirname "$0")/../.." && pwd)
. "$checkout/deploy/systemd/common.sh"

require_root_and_systemd
before=$(readlink -f "$PREFIX/current") || fail "There is no panel in $PREFIX: use install.sh."
release_from "$checkout"
saved="$DATA/antes-de-actualizar.db"
rm -f "$saved"
panel backup "$saved"
switch_to "$RELEASE"
write_units
systemctl restart "$UNIT"
if ! healthy; then
  say "The new version did not come up; the former one is put back."
  systemctl stop "$UNIT"
  switch_to "$before"
  write_units
  panel restore "$saved" --misma-identidad
  systemctl start "$UNIT"
  fail "The upgrade was undone: journalctl -u $UNIT"
fi
# The current one is always among those that stay.
find "$PREFIX/releases" -mindepth 1 -maxdepth 1 -type d | sort | head -n "-$KEEP_RELEASES" |
  while read -r old; do [ "$old" = "$before" ] || rm -rf -- "$old"; done
say "Upgraded; the database as it was before is $saved."
