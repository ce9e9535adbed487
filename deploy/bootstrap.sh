# Sourced by deploy/start, deploy/panel, test/run and deploy/systemd with a checkout as working directory: finds or
# installs Bun and the dependencies, with the options for `bun install` in DEPENDENCIES. Nothing is installed outside
# .tools and node_modules but Debian's packages, and those only as root.
. deploy/packages.sh

# The file that npm brings is refused unless it has the hash that stands here, and no program of the package runs.
bun_lock="deploy/bun/$(uname -m)"
[ -d "$bun_lock" ] || fail "There is no Bun for this processor ($(uname -m))."
BUN_VERSION=$(sed -n 's/.*"@oven\/bun-linux-[^"]*": "\(.*\)"$/\1/p' "$bun_lock/package.json")

is_bun() { [ "$("$1" --version 2>/dev/null)" = "$BUN_VERSION" ]; }

# A Bun of the machine's own, which root runs only where it is the very file that npm would bring.
on_path() {
  have bun || return 1
  if is_root && [ "$(sha256sum <"$(readlink -f "$(command -v bun)")")" != "$(cat "$bun_lock/bun.sha256")  -" ]; then
    say "$(command -v bun) is not the file whose hash is in $bun_lock: the panel takes a Bun of its own."
    return 1
  fi
  is_bun bun
}

# npm ends with Bun in .tools/node_modules/.bin, where Bun's own package would put it.
install_bun() {
  have npm || install_packages npm || fail "npm is missing, and is what installs Bun: install Debian's npm package."
  mkdir -p .tools
  cp "$bun_lock/package.json" "$bun_lock/package-lock.json" .tools/
  bounded npm ci --prefix .tools --prefer-offline --ignore-scripts --no-audit --no-fund --loglevel=error ||
    fail "Bun $BUN_VERSION could not be installed: what npm says is above."
  mkdir -p .tools/node_modules/.bin
  for name in bun bunx; do
    ln -sf "$(cd .tools/node_modules/.bin && echo ../@oven/bun-linux-*/bin/bun)" ".tools/node_modules/.bin/$name"
  done
}

umask_before=$(umask)
# No secret is among these, and a checkout may be shared.
umask 022
if ! is_bun .tools/node_modules/.bin/bun && ! on_path; then install_bun; fi
if [ -d .tools/node_modules/.bin ]; then
  PATH="$PWD/.tools/node_modules/.bin:$PATH"
  export PATH
fi
is_bun bun || fail "Bun $BUN_VERSION is needed, and $(command -v bun) is another: remove .tools and begin again."
# Another user's installation is used as it is.
if [ ! -d node_modules ] || [ -w node_modules ]; then
  # shellcheck disable=SC2086 # options
  bounded bun install --frozen-lockfile --no-progress --no-summary ${DEPENDENCIES:-} ||
    fail "The panel's packages could not be installed: what Bun says is above."
fi
umask "$umask_before"
