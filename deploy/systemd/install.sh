#!/bin/sh
# Installs the panel of this checkout as a systemd service: /opt/controlpanel, data in /var/lib/controlpanel.
# Another place: PREFIX=… DATA=… deploy/systemd/install.sh.
# Settings (README, "Configuration") go into /etc/controlpanel.env, one NAME=value a line.
set -eu
checkout=$(cd "$(dirname "$0")/../.." && pwd)
. "$checkout/deploy/systemd/common.sh"

if [ "${1:-}" = --print-unit ]; then
  render "$checkout/deploy/systemd/$UNIT"
  exit
fi
require_root_and_systemd
[ ! -e "$PREFIX/current" ] || fail "There is a panel in $PREFIX already: use upgrade.sh."
refuse_open_settings

# systemd-run waits for commands over the bus; the others tell who holds a port.
install_packages dbus iproute2 procps
refuse_taken_ports
# shellcheck disable=SC2086 # lists of names
mask_units $SERVICE_UNITS
# shellcheck disable=SC2086
install_packages curl logrotate $SERVICE_PACKAGES
release_from "$checkout"

# Others pass through to the sites' files and cannot list it; every file of the panel's own has its own mode.
(umask 022 && mkdir -p "$DATA")
chmod 0711 "$DATA"
switch_to "$RELEASE"
write_units
systemctl enable --quiet "$UNIT"
systemctl restart "$UNIT" && healthy || fail "The panel did not start: journalctl -u $UNIT"
say "The panel runs. The first admin's link is in its log: journalctl -u $UNIT"
