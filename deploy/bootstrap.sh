# Sourced by deploy/start and test/run with the checkout as working directory: finds or installs what they need.
# Nothing is installed outside .tools and node_modules but Debian's packages, and those only as root.
set -eu

BUN_VERSION=1.4.5

say() { printf '%s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
is_root() { [ "$(id -u)" = 0 ]; }

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

# The panel runs its own nginx, PHP-FPM and PowerDNS; the distribution's units would take their ports.
mask_units() {
  [ -d /run/systemd/system ] && is_root || return 0
  for unit in "$@"; do systemctl mask --now "$unit" >/dev/null 2>&1 || true; done
}

if have bun && [ "$(bun --version)" = "$BUN_VERSION" ]; then
  :
elif [ ! -x .tools/node_modules/.bin/bun ]; then
  have npm || install_packages npm || fail "npm is missing, and is what installs Bun: install Debian's npm package."
  npm install --silent --prefix .tools --no-save --no-package-lock "bun@$BUN_VERSION" >&2
fi
if [ -d .tools/node_modules/.bin ]; then
  PATH="$PWD/.tools/node_modules/.bin:$PATH"
  export PATH
fi
[ "$(bun --version)" = "$BUN_VERSION" ] || fail "Bun $BUN_VERSION is needed."
bun install --frozen-lockfile --silent >&2
