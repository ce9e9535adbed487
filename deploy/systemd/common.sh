# Sourced by install.sh, upgrade.sh and uninstall.sh.
set -eu

PREFIX=${PREFIX:-/opt/controlpanel}
DATA=${DATA:-/var/lib/controlpanel}
UNIT_DIR=${UNIT_DIR:-/etc/systemd/system}
LOGROTATE_DIR=${LOGROTATE_DIR:-/etc/logrotate.d}
UNIT=controlpanel.service
KEEP_RELEASES=3

say() { printf '%s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# What these paths are rendered into has no quoting of its own.
for path in "$PREFIX" "$DATA"; do
  case $path in
    /*) ;;
    *) fail "$path is not an absolute path" ;;
  esac
  case $path in
    *[!A-Za-z0-9/._-]* | *..*) fail "$path has unsupported characters" ;;
  esac
done

require_root_and_systemd() {
  [ "$(id -u)" = 0 ] || fail "This needs root."
  [ -d /run/systemd/system ] || fail "This machine does not run systemd; start the panel with deploy/start."
}

# release_from CHECKOUT: copies it to a directory of its own, with its dependencies, and sets RELEASE and BUN.
release_from() {
  RELEASE="$PREFIX/releases/$(date -u +%Y%m%d%H%M%S)"
  mkdir -p "$RELEASE"
  (cd "$1" && tar -cf - --exclude=./.git --exclude=./data --exclude=./node_modules --exclude=./.tools .) |
    tar -xf - -C "$RELEASE" --no-same-owner
  # In a shell of its own: the bootstrap changes the working directory's meaning and PATH.
  BUN=$(cd "$RELEASE" && . deploy/bootstrap.sh && bun run --silent build:web >&2 && command -v bun)
  case $BUN in "$RELEASE"/*) BUN="$PREFIX/current${BUN#"$RELEASE"}" ;; esac
}

# render FILE: the file with its names filled in.
render() {
  sed -e "s|@PREFIX@|$PREFIX|g" -e "s|@DATA@|$DATA|g" -e "s|@BUN@|${BUN:-/usr/bin/bun}|g" "$1"
}

# switch_to RELEASE: in one rename, so that there is always a current one.
switch_to() {
  ln -sfn "$1" "$PREFIX/current.new"
  mv -T "$PREFIX/current.new" "$PREFIX/current"
}

write_units() {
  mkdir -p "$UNIT_DIR" "$LOGROTATE_DIR"
  render "$PREFIX/current/deploy/systemd/$UNIT" >"$UNIT_DIR/$UNIT"
  render "$PREFIX/current/deploy/systemd/logrotate.conf" >"$LOGROTATE_DIR/controlpanel"
  systemctl daemon-reload
}

# Waits a minute for the panel to say that it is well.
healthy() {
  for _ in $(seq 60); do
    curl -fsk -o /dev/null -m 5 "https://localhost:${PANEL_PORT:-2087}/salud" && return 0
    sleep 1
  done
  return 1
}

panel() {
  (cd "$PREFIX/current" && PANEL_DATA="$DATA" "$BUN" deploy/node/panel.ts "$@")
}
