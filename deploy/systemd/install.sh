#!/bin/sh
# Installs the panel of this checkout as a systemd service: /opt/controlpanel, data in /var/lib/controlpanel.
# Another place: PREFIX=… DATA=… deploy/systemd/install.sh. Running it again does no harm.
# Settings (contract: "Configuration") go into /etc/controlpanel.env, one NAME=value a line.
checkout=$(cd "$(dirname "$0")/../.." && pwd)
. "$checkout/deploy/systemd/common.sh"

if [ "${1:-}" = --print-unit ]; then
  render "$checkout/deploy/systemd/$UNIT"
  exit
fi
require_root_and_systemd
[ ! -e "$PREFIX/current" ] || fail "There is a panel in $PREFIX already: use upgrade.sh."

# Others pass through to the sites' files and cannot list it; every file of the panel's own has its own mode.
mkdir -p "$DATA"
chmod 0711 "$DATA"
(
  cd "$checkout"
  . deploy/bootstrap.sh
  install_packages curl logrotate nginx-light php-fpm pdns-server pdns-backend-sqlite3
  mask_units nginx.service pdns.service
  for program in /usr/sbin/php-fpm*; do mask_units "$(basename "$program" | sed 's/^php-fpm/php/')-fpm.service"; done
)
release_from "$checkout"
switch_to "$RELEASE"
write_units
systemctl enable --now "$UNIT"
healthy || fail "The panel did not start: journalctl -u $UNIT"
say "The panel runs. The first admin's link is in its log: journalctl -u $UNIT"
