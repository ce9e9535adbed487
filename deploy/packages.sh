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

# What the panel's services run on; the web server's modules are optional. bubblewrap makes the clients' cages; `quota`
# sets the plans' limits where ext4 or xfs counts by user; libarchive-tools, zstd and openssh-sftp-server serve clients' files;
# restic keeps copies of them.
SERVICE_PACKAGES="nginx-light libnginx-mod-http-brotli-filter libnginx-mod-http-brotli-static pdns-server pdns-backend-sqlite3 quota bubblewrap libarchive-tools zstd openssh-sftp-server restic mariadb-server adminer openssh-server iproute2 php8.2-fpm php8.2-cli php8.2-curl php8.2-gd
  php8.2-apcu php8.2-bcmath php8.2-gmp php8.2-imagick php8.2-intl php8.2-mbstring php8.2-mysql php8.2-redis php8.2-soap
  php8.2-sqlite3 php8.2-xml php8.2-zip"
# Debian's own units of these packages.
SERVICE_UNITS="nginx.service php8.2-fpm.service pdns.service mariadb.service"

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
  apt -qq update >&2 || true
  # shellcheck disable=SC2086 # a list of names
  if apt install -s --no-install-recommends $missing | grep -q '^Remv'; then
    fail "Installing$missing would remove other packages; install them by hand."
  fi
  say "Installing$missing"
  # shellcheck disable=SC2086
  case "$missing " in
    *" openssh-server "*) without_ssh apt -qq install -y --no-install-recommends $missing >&2 ;;
    *) apt -qq install -y --no-install-recommends $missing >&2 ;;
  esac
}

# without_ssh COMMAND...: runs what installs OpenSSH for the panel's own server. Debian's, which lets people into the
# machine, does not begin by that, now or at the next start; one that was installed before is left as it is.
without_ssh() {
  policy=${POLICY:-/usr/sbin/policy-rc.d}
  (
    if [ ! -e "$policy" ]; then
      trap 'rm -f "$policy"' EXIT
      trap 'exit 130' INT TERM
      # invoke-rc.d(8) asks it, and so does what starts units.
      printf '#!/bin/sh\ncase $1 in ssh | ssh.*) exit 101 ;; esac\n' >"$policy"
      chmod 0755 "$policy"
    fi
    "$@"
  )
  ! under_systemd || systemctl disable --quiet ssh.service ssh.socket 2>/dev/null || true
}

# What packages bring is for everybody, and their scripts count on that.
apt() { (umask 022 && DEBIAN_FRONTEND=noninteractive exec apt-get "$@"); }

under_systemd() { [ -d /run/systemd/system ] && is_root; }

# The panel runs its own nginx, PHP-FPM, PowerDNS and MariaDB; the distribution's units would take their ports, also when
# they are only about to be installed. One that somebody has set up and that serves is not ours to stop.
mask_units() {
  under_systemd || return 0
  for unit in "$@"; do
    foreign=$(foreign_configuration "$unit")
    [ -z "$foreign" ] || ! systemctl -q is-active "$unit" || fail "$unit serves what somebody set up in $foreign.
The panel would take its place: move that elsewhere, 'systemctl disable --now $unit', and begin again."
  done
  for unit in "$@"; do
    # The panel's MariaDB has a port, a socket and data of its own, and leaves somebody's beside it alone.
    [ -z "$(foreign_databases "$unit")" ] || continue
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

# foreign_databases UNIT: a database that MariaDB's package does not bring, where there is one.
foreign_databases() {
  [ "$1" = mariadb.service ] || return 0
  find /var/lib/mysql -mindepth 1 -maxdepth 1 -type d ! -name mysql ! -name performance_schema ! -name sys ! -name '#*' 2>/dev/null | head -n 1
}
