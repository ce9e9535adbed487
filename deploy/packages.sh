# Sourced by what installs Debian's packages: deploy/start, deploy/systemd and test/run.
set -eu

say() { printf '%s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
is_root() { [ "$(id -u)" = 0 ]; }

# bounded CLIENT ARGUMENT...: runs a package client, and ends one that hangs.
bounded() {
  seconds=${PACKAGES_SECONDS:-900}
  ended=0
  timeout --foreground --kill-after=10 "$seconds" "$@" >&2 || ended=$?
  case $ended in
    124 | 137) say "$1 had not finished after $seconds seconds and was ended. Does the registry answer (npm ping)?
Behind a proxy or with a registry of your own, say so in ~/.npmrc; on a slow line, give it longer: PACKAGES_SECONDS=3600." ;;
  esac
  return "$ended"
}

# What the panel's services run on. `quota` sets the plans' limits where ext4 or xfs counts by user.
SERVICE_PACKAGES="nginx-light pdns-server pdns-backend-sqlite3 quota php8.2-fpm php8.2-cli php8.2-curl php8.2-gd
  php8.2-intl php8.2-mbstring php8.2-mysql php8.2-sqlite3 php8.2-xml php8.2-zip"
# Debian's own units of these packages.
SERVICE_UNITS="nginx.service php8.2-fpm.service pdns.service"

# install_packages NAME...: Debian's packages that are missing, never removing another.
install_packages() {
  missing=
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  if ! is_root || ! have apt-get; then
    say "These Debian packages are missing:$missing"
    say "  install them with: apt-get install --no-install-recommends$missing"
    return 1
  fi
  apt-get -qq update >&2 || true
  # shellcheck disable=SC2086 # a list of names
  if apt-get install -s --no-install-recommends $missing | grep -q '^Remv'; then
    fail "Installing$missing would remove other packages; install them by hand."
  fi
  say "Installing$missing"
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $missing >&2
}

under_systemd() { [ -d /run/systemd/system ] && is_root; }

# The panel runs its own nginx, PHP-FPM and PowerDNS; the distribution's units would take their ports, also when
# they are only about to be installed. One that somebody has set up and that serves is not ours to stop.
mask_units() {
  under_systemd || return 0
  for unit in "$@"; do
    foreign=$(foreign_configuration "$unit")
    [ -z "$foreign" ] || ! systemctl -q is-active "$unit" || fail "$unit serves what somebody set up in $foreign.
The panel would take its place: move that elsewhere, 'systemctl disable --now $unit', and begin again."
  done
  for unit in "$@"; do
    systemctl mask --now "$unit" >/dev/null 2>&1 || true
    systemctl reset-failed "$unit" 2>/dev/null || true
  done
}

# foreign_configuration UNIT: a file that Debian's package does not bring, where there is one.
foreign_configuration() {
  case $1 in
    nginx.service) find /etc/nginx/sites-enabled /etc/nginx/conf.d ! -type d ! -name default 2>/dev/null ;;
    pdns.service) find /etc/powerdns/pdns.d ! -type d ! -name bind.conf 2>/dev/null ;;
  esac | head -n 1
}
