# Sourced by install.sh, upgrade.sh and uninstall.sh, with the checkout's directory in `checkout`.
. "$checkout/deploy/packages.sh"
# What a file of ours does not need to be is closed to others from its first moment.
umask 077

PREFIX=${PREFIX:-/opt/controlpanel}
DATA=${DATA:-/var/lib/controlpanel}
UNIT_DIR=${UNIT_DIR:-/etc/systemd/system}
LOGROTATE_DIR=${LOGROTATE_DIR:-/etc/logrotate.d}
SYSCTL_DIR=${SYSCTL_DIR:-/etc/sysctl.d}
FIRST_OPEN_PORT=/proc/sys/net/ipv4/ip_unprivileged_port_start
COMMAND=/usr/local/sbin/controlpanel
SETTINGS=/etc/controlpanel.env
UNIT=controlpanel.service
KEEP_RELEASES=3
# Of every release, so that going back to one is going back to its Bun too.
BUN="$PREFIX/current/.tools/bin/bun"

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
  is_root || fail "This needs root."
  [ -d /run/systemd/system ] || fail "This machine does not run systemd; start the panel with deploy/start."
  for path in "$PREFIX" "$DATA"; do
    case $path/ in
      /home/* | /root/* | /run/* | /tmp/* | /var/tmp/*) fail "$path is hidden from services: choose another place." ;;
    esac
  done
}

# setting NAME DEFAULT: as the panel will read it; the unit's file wins over the data directory's.
setting() {
  found=$(cat "$DATA/panel.env" "$SETTINGS" 2>/dev/null |
    sed -n "s/^[[:space:]]*$1[[:space:]]*=[[:space:]]*//p" | tail -n 1 | tr -d "\"'" | sed 's/[[:space:]]*$//')
  printf '%s\n' "${found:-$2}"
}

# refuse_open_settings: the panel would not start with secrets that others can read.
refuse_open_settings() {
  [ -f "$SETTINGS" ] && [ -n "$(find -L "$SETTINGS" -perm /077)" ] || return 0
  ! grep -Eq '^[[:space:]]*PANEL_((KEYS|DB_TOKEN|CRON_SECRET|METRICS_TOKEN)[[:space:]]*=|(SMTP|DB)_URL.*(@|authToken))' "$SETTINGS" ||
    fail "$SETTINGS holds secrets and others can read it: chmod 600 $SETTINGS"
}

# release_from CHECKOUT: copies it to a directory of its own with its dependencies and its Bun, and sets RELEASE.
release_from() {
  RELEASE="$PREFIX/releases/$(date -u +%Y%m%d%H%M%S)"
  # A release holds no secret, and the way to it is everybody's.
  (umask 022 && mkdir -p "$PREFIX/releases" && mkdir "$RELEASE")
  # In a shell of its own, since the bootstrap changes the working directory's meaning and PATH, and as a plain
  # command: in a condition its failures would not end it.
  set +e
  (
    set -eu
    umask 022
    (cd "$1" && tar -cf - --exclude=./.git --exclude=./data --exclude=./node_modules --exclude=./.tools .) |
      tar -xf - -C "$RELEASE" --no-same-owner
    cd "$RELEASE"
    DEPENDENCIES=--production
    . deploy/bootstrap.sh
    bun run --silent build:web >&2
    mkdir -p .tools/bin
    cp --reflink=auto "$(readlink -f "$(command -v bun)")" .tools/bin/bun
  )
  made=$?
  set -e
  [ "$made" = 0 ] || { rm -rf -- "$RELEASE"; fail "The release could not be put together; nothing was changed."; }
}

# render FILE: the file with its names filled in.
render() {
  sed -e "s|@PREFIX@|$PREFIX|g" -e "s|@DATA@|$DATA|g" -e "s|@BUN@|$BUN|g" -e "s|@SETTINGS@|$SETTINGS|g" "$1"
}

# switch_to RELEASE: in one rename, so that there is always a current one.
switch_to() {
  ln -sfn "$1" "$PREFIX/current.new"
  mv -T "$PREFIX/current.new" "$PREFIX/current"
}

# Units and what is beside them are read by other programs than the panel.
write_units() {
  (umask 022 && write_files)
  systemctl daemon-reload
}

write_files() {
  mkdir -p "$UNIT_DIR" "$LOGROTATE_DIR" "$SYSCTL_DIR"
  render "$PREFIX/current/deploy/systemd/$UNIT" >"$UNIT_DIR/$UNIT"
  render "$PREFIX/current/deploy/systemd/logrotate.conf" >"$LOGROTATE_DIR/controlpanel"
  render "$PREFIX/current/deploy/systemd/controlpanel.sh" >"$COMMAND"
  chmod 0755 "$COMMAND"
  # A version from before this has none.
  [ ! -f "$PREFIX/current/deploy/systemd/sysctl.conf" ] || reserve_ports
}

# At each boot, and now unless the machine is stricter already.
reserve_ports() {
  render "$PREFIX/current/deploy/systemd/sysctl.conf" >"$SYSCTL_DIR/50-controlpanel.conf"
  [ "$(cat "$FIRST_OPEN_PORT")" -ge 2089 ] || echo 2089 >"$FIRST_OPEN_PORT" ||
    say "This machine does not let ports be reserved; controlpanel doctor tells which any program can take."
}

# serves_itself: the panel's port is held by the unit's main process, and by nobody else.
serves_itself() {
  main=$(systemctl show --property=MainPID --value "$UNIT")
  [ "$main" -gt 0 ] || return 1
  found=$(ss -Hlntp "sport = :$(setting PANEL_PORT 2087)" | while read -r _ _ _ local _ users; do
    in_the_way "${local%:*}" || continue
    case $users in *"pid=$main,"*) echo itself ;; *) echo another ;; esac
  done | sort -u)
  [ "$found" = itself ]
}

# The unit has started when the panel has said that its services are looked after; then it must answer, and it itself.
healthy() {
  address=$(setting PANEL_BIND localhost | cut -d, -f1)
  case $address in *:*) address="[$address]" ;; esac
  for _ in $(seq 30); do
    systemctl -q is-active "$UNIT" && serves_itself &&
      works "$(curl -sk -m 5 "https://$address:$(setting PANEL_PORT 2087)/salud")" && return 0
    sleep 1
  done
  return 1
}

# works ANSWER: the panel itself does; a service that is down may have been before, and doctor tells of it.
works() {
  case $1 in
  *'"base_de_datos"'* | *'"disco"'*) return 1 ;;
  *'"estado"'*) ;;
  *) return 1 ;;
  esac
}

# refuse_taken_ports: one line for each port that another program holds, and what to do.
refuse_taken_ports() {
  taken=$(
    taken_ports tcp "$(setting PANEL_PORT 2087)" PANEL_PORT
    taken_ports tcp "$(setting PANEL_HTTP_PORT 80)" PANEL_HTTP_PORT
    taken_ports tcp "$(setting PANEL_HTTPS_PORT 443)" PANEL_HTTPS_PORT
    taken_ports udp "$(setting PANEL_DNS_PORT 53)" PANEL_DNS_PORT
    taken_ports tcp "$(setting PANEL_DNS_PORT 53)" PANEL_DNS_PORT
    taken_ports tcp "$(setting PANEL_SFTP_PORT 2022)" PANEL_SFTP_PORT
  )
  [ -z "$taken" ] || fail "$taken
Nothing was installed. Stop what holds them, or give the panel addresses (PANEL_BIND) or other ports in $SETTINGS."
}

# taken_ports PROTOCOL PORT SETTING
taken_ports() {
  case $1 in tcp) sockets=-Hlntp ;; udp) sockets=-Hlnup ;; esac
  ss "$sockets" "sport = :$2" | while read -r _ _ _ local _ users; do
    address=${local%:*}
    in_the_way "$address" || continue
    pid=$(printf '%s' "$users" | sed -n 's/.*pid=\([0-9]*\).*/\1/p')
    name=$(printf '%s' "$users" | sed -n 's/^users:((\"\([^"]*\)".*/\1/p')
    unit=$([ -z "$pid" ] || ps -o unit= -p "$pid" | tr -d ' ')
    # Debian's own units stand back, and what an earlier panel left running is taken over.
    case " $SERVICE_UNITS " in *" $unit "*) continue ;; esac
    case $unit in controlpanel-*.service) continue ;; *.service) name="$name, $unit" ;; esac
    say_port="Port $2/$1 ($3) on $address is held by ${name:-another program}"
    printf '%s%s.\n' "$say_port" "${pid:+ (process $pid)}"
  done | sort -u
}

# in_the_way ADDRESS: whether the panel would listen there as well; a local resolver's stubs are left alone.
in_the_way() {
  bind=$(setting PANEL_BIND '')
  case $1 in 127.0.0.5[34] | 127.0.0.5[34]%*) return 1 ;; esac
  case ",$bind," in ,, | *,0.0.0.0,* | *,::,*) return 0 ;; esac
  case $1 in 0.0.0.0 | '*' | '[::]') return 0 ;; esac
  plain=$(printf '%s' "$1" | tr -d '[]' | sed 's/%.*//')
  case ",$(printf '%s' "$bind" | tr -d ' '), " in *",$plain,"*) return 0 ;; esac
  return 1
}
