#!/bin/sh
# Removes the panel and stops its services. Keeps all data: database, sites, zones, keys, settings, and the
# clients' users.
set -eu
checkout=$(cd "$(dirname "$0")/../.." && pwd)
. "$checkout/deploy/systemd/common.sh"

require_root_and_systemd
systemctl disable --quiet --now "$UNIT" 2>/dev/null || true
systemctl stop 'controlpanel-*.service'
rm -f "$UNIT_DIR/$UNIT" "$LOGROTATE_DIR/controlpanel" "$COMMAND" "$SYSCTL_DIR/50-controlpanel.conf"
# The kernel's own, unless somebody has set another.
[ "$(cat "$FIRST_OPEN_PORT")" != 2089 ] || echo 1024 >"$FIRST_OPEN_PORT" || true
rm -rf -- "$PREFIX/releases" "$PREFIX/current"
rmdir "$PREFIX" 2>/dev/null || true
systemctl daemon-reload
# shellcheck disable=SC2086 # a list of names
systemctl unmask $SERVICE_UNITS >/dev/null 2>&1 || true
say "The panel is gone. Its data stay in $DATA; installing again goes on with them."
