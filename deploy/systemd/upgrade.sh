#!/bin/sh
# Replaces the installed panel by the one of this checkout. Sites and names are answered throughout; where the
# new version does not come up, or doctor finds faults that were none before, the former one is put back, with the
# database as it was if it needs that.
set -eu
checkout=$(cd "$(dirname "$0")/../.." && pwd)
. "$checkout/deploy/systemd/common.sh"

# look FILE: what doctor finds, with all sites; a version from before that option asks some of them.
look() {
  "$COMMAND" doctor --todos --json >"$1" || true
  [ -s "$1" ] || "$COMMAND" doctor --json >"$1" || true
}

# uptime: in seconds; no clock that is set changes it.
uptime() { cut -d . -f 1 /proc/uptime; }

# new_faults FILE…: what all of these looks find and the one before did not. Status 1 where that is much, 2 where it is
# some sites of many, 3 where it is one of them or a twentieth.
new_faults() { "$BUN" "$PREFIX/current/deploy/node/doctor/compare.ts" "$looks/before" "$@"; }

# Whether nothing is at fault that was not before; else `faults` has it. What has just started is given a minute, and
# where all the rest is well, some sites of many are given four more. A site that fails even then stays `left`, as long
# as it is nearly the only one: a customer can break a site, and must not keep everybody from an upgrade.
faults=
left=
as_well_as_before() {
  if [ ! -s "$looks/before" ]; then
    say "What was at fault before is not known: only that the new version answers was looked at."
    return 0
  fi
  told= at=0
  begun=$(uptime)
  while :; do
    at=$((at + 1))
    look "$looks/after.$at"
    if faults=$(new_faults "$looks/after.$at"); then return 0; fi
    passed=$(($(uptime) - begun))
    if [ "$passed" -lt 60 ] || [ "$at" -lt 3 ]; then
      sleep 5
      continue
    fi
    # What comes and goes, as some sites of many do, is no fault of the new version.
    share=0
    faults=$(new_faults "$looks/after.$((at - 2))" "$looks/after.$((at - 1))" "$looks/after.$at") || share=$?
    [ "$share" -ne 0 ] || return 0
    [ "$share" -ge 2 ] || break
    if [ "$passed" -ge 300 ]; then
      [ "$share" -eq 3 ] || break
      left=$faults
      return 0
    fi
    [ "$faults" = "$told" ] || say "These did not fail before. They are asked again for some minutes:
$faults"
    told=$faults
    sleep 10
  done
  faults=${faults:-doctor does not work}
  return 1
}

require_root_and_systemd
before=$(readlink -f "$PREFIX/current") && [ -d "$before" ] || fail "There is no panel in $PREFIX: use install.sh."
refuse_open_settings
# shellcheck disable=SC2086 # a list of names
install_packages curl dbus iproute2 logrotate $SERVICE_PACKAGES
release_from "$checkout"

looks=$(mktemp -d)
trap 'rm -rf "$looks"' EXIT
look "$looks/before"

saved=
if case $(setting PANEL_DB_URL file:) in file:*) true ;; *) false ;; esac; then
  saved="$DATA/antes-de-actualizar.db"
  rm -f "$saved"
  "$COMMAND" backup "$saved" >&2
else
  say "The database is on a server: a copy of it is for that server's own tools."
fi

switch_to "$RELEASE"
write_units
if ! { systemctl restart "$UNIT" && healthy && as_well_as_before; }; then
  if [ -n "$faults" ]; then
    say "The new version has faults that were none before; the former one is put back:
$faults"
  else
    say "The new version did not come up; the former one is put back."
  fi
  systemctl stop "$UNIT" || true
  switch_to "$before"
  write_units
  # What was answered with success since the copy is kept wherever the former version can go on with it.
  if ! { systemctl restart "$UNIT" && healthy; }; then
    systemctl stop "$UNIT" || true
    [ -n "$saved" ] || fail "The former version cannot read the database either: restore it, then start $UNIT."
    "$COMMAND" restore "$saved" --misma-identidad >&2
    systemctl start "$UNIT" && healthy || fail "The former version does not start either: journalctl -u $UNIT"
    say "The database is as it was before the upgrade."
  fi
  rm -rf -- "$RELEASE"
  fail "The upgrade was undone: journalctl -u $UNIT"
fi
# The current one is always among those that stay.
find "$PREFIX/releases" -mindepth 1 -maxdepth 1 -type d | sort | head -n "-$KEEP_RELEASES" |
  while read -r old; do [ "$old" = "$before" ] || rm -rf -- "$old"; done
say "Upgraded.${saved:+ The database as it was before is $saved.}"
[ -z "$left" ] || {
  say "These answered before and do not now: see whether their customers changed something meanwhile.
$left"
  exit 3
}
