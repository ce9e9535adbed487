# Sourced by deploy/start, test/run and deploy/systemd with a checkout as working directory: finds or installs Bun
# and the dependencies, with the options for `bun install` in DEPENDENCIES. Nothing is installed outside .tools and
# node_modules but Debian's packages, and those only as root.
. deploy/packages.sh

BUN_VERSION=1.4.5

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
# shellcheck disable=SC2086 # options
bun install --frozen-lockfile --silent ${DEPENDENCIES:-} >&2
