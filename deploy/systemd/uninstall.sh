#!/bin/sh
# Removes the panel and stops its services. Keeps all data: database, sites, zones, keys, and the clients' users.
checkout=$(cd "$(dirname "$0")/../.." && pwd)
. "$checkout/deploy/systemd/common.sh"

require_root_and_systemd
systemctl disable --now "$UNIT" 2>/dev/null || true
systemctl list-units --all --plain --no-legend 'controlpanel-*.service' | cut -d' ' -f1 |
  while read -r unit; do systemctl stop "$unit"; done
rm -f "$UNIT_DIR/$UNIT" "$LOGROTATE_DIR/controlpanel"
rm -rf -- "$PREFIX/releases" "$PREFIX/current"
rmdir "$PREFIX" 2>/dev/null || true
systemctl daemon-reload
systemctl unmask nginx.service pdns.service 2>/dev/null || true
for program in /usr/sbin/php-fpm*; do
  systemctl unmask "$(basename "$program" | sed 's/^php-fpm/php/')-fpm.service" 2>/dev/null || true
done
say "The panel is gone. Its data stay in $DATA; installing again goes on with them."
