import { expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack, Stage } from './stage.ts'

/** Every port of a service, and one that is nobody's. */
const all = ({ ports, port }: Stage) =>
  [ports.http, ports.https, ports.dns, ports.panel, 953, 1_234, port + 7].join(' ')

/** A row for one way of listening: nothing may be taken. */
const listening = (way: string, name: string, words: (stage: Stage) => string = all): Attack => ({
  name,
  order: (stage) => `./port ${way} ${words(stage)}`,
  can: /^tried$/m,
  never: /^took /,
})

/** Of the databases, which ask for a password. */
const DATABASES = 3307
const SFTP = 2022
/** Adminer, which shows nothing without a link of the panel's. */
const VIEWER = 2088
/** What serves customers, and the name server's API, which asks for its key. */
const meant = ({ ports, dns, at }: Stage): number[] => [
  ...Object.values(ports),
  DATABASES,
  SFTP,
  VIEWER,
  Number(readFileSync(at(join(dns, 'puerto')), 'utf8')),
]

const network = ({ run }: Stage): string =>
  run('sh', '-c', 'ip -o address; ip route; ip -6 route; ip rule; ip neigh').output
let before = ''

export const PORTS: Attack[] = [
  listening('tcp', 'no port is listened on over TCP, a service’s neither on another address of loopback'),
  listening('udp', 'no port is taken over UDP or UDP-Lite'),
  listening('six', 'no port is taken over IPv6'),
  listening('shared', 'no port is shared with a service, nor bound before its address is there'),
  listening('protocols', 'no port is taken over the lesser protocols (MPTCP, SCTP, DCCP)'),
  listening('unbound', 'no port that the kernel chooses is listened on', () => ''),
  listening('old', 'the calls of 32-bit programs listen no more than those of 64 bits', (stage) =>
    String(stage.port + 8),
  ),
  listening('ring', 'the kernel’s ring binds nothing behind the filter', (stage) => String(stage.port + 9)),
  listening(
    'address',
    'nobody speaks under another address of loopback, which would count apart',
    ({ ports }) => String(ports.panel),
  ),
  listening(
    'unix',
    'no Unix socket is bound, under a path or an abstract name',
    ({ attacker, victim, web }) =>
      [
        'mio.s',
        join(web, `f/8.2/b0/${attacker.clientId}.s`),
        join(web, `f/8.2/b0/${victim.clientId}.s`),
        '/tmp/mio.s',
        '/run/mio.s',
      ].join(' '),
  ),
  listening('strange', 'no raw socket, packet socket or other family is handed out', () => ''),
  {
    name: 'no address, route or neighbour of the machine is changed, in a network of its own neither',
    first: (stage) => {
      before = network(stage)
    },
    order: () =>
      'for c in "address add 127.0.0.77/8 dev lo" "route add 192.0.2.0/24 dev lo" "link set lo down" "neigh add 192.0.2.9 lladdr 02:00:00:00:00:01 dev lo" "netns add mio"; do ip $c && echo changed $c; done; unshare -Urn ip link set lo up && echo changed network; nft list ruleset && echo changed rules; echo tried',
    can: 'tried',
    never: /^changed /,
    outside: (stage) => expect(network(stage)).toBe(before),
  },
  {
    name: 'the name server’s API tells and takes nothing without its key, whatever is sent there',
    order: ({ web, dns }) =>
      `cat ${dns}/clave ${dns}/puerto ${dns}/pdns.conf 2>/dev/null; for p in $(perl -ne 'print hex($1), "\\n" if /^\\s*\\d+: [0-9A-F]+:([0-9A-F]{4}) 0+:0000 0A/' /proc/net/tcp /proc/net/tcp6 | sort -u) ; do for h in 'X-API-Key: ' 'X-API-Key: changeme' 'Authorization: Basic YWRtaW46YWRtaW4='; do for u in /api/v1/servers/localhost/zones /api/v1/servers /metrics /jsonstat /api/docs; do timeout 1 curl -gsm1 --connect-timeout 0.2 -H "$h" "http://127.0.0.1:$p$u" || break 2; done; done; done; echo; ls ${web} 2>/dev/null; echo tried`,
    can: 'tried',
    never: /"rrsets|"daemon_type|"zones_url|pdns_auth|"kind":|uptime|changeme.*ok/,
  },
  {
    name: 'of all that listens on loopback a customer reaches the web, names and their API, databases and Adminer, SFTP and the panel alone',
    order: () =>
      `for p in $(perl -ne 'print hex($1), "\\n" if /^\\s*\\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:0000 0A/' /proc/net/tcp /proc/net/tcp6 | sort -nu); do for h in 127.0.0.1 ::1; do timeout 1 bash -c "exec 3<>/dev/tcp/$h/$p" 2>/dev/null && echo "open $p"; done; done; echo tried`,
    can: /open \d+[\s\S]*tried/,
    outside: (stage, told) => {
      const reached = new Set([...told.matchAll(/^open (\d+)$/gm)].map(([, port]) => Number(port)))
      const others = [...reached].filter((port) => !meant(stage).includes(port))
      expect(others.map((port) => stage.run('ss', '-Hltnp', `sport = :${port}`).output)).toEqual([])
    },
  },
  {
    name: 'FastCGI forged by a customer runs nothing as another customer, nor outside the own PHP’s bounds',
    order: ({ victim, attacker, web }) =>
      `perl forge.pl ${victim.root}/config.php ${[victim, attacker].flatMap(({ clientId, host }) => [`${web}/f/8.2/b0/${clientId}.s`, `${web}/p/${host}/${clientId}.s`, `${web}/s/${clientId}.s`]).join(' ')} $(timeout 2 find /run /var /tmp /dev /srv -xdev -type s 2>/dev/null) $(perl -ne 'print "$1\\n" if m{ (/\\S+)$}' /proc/net/unix | sort -u)`,
    can: 'tried',
    never: /^connected /,
    // Databases, which speak no FastCGI.
    except: /\/mariadb\/run\/mysqld\.sock$/,
  },
  {
    name: 'the panel’s own pages beside the API tell a customer nothing, under whatever name they are asked for',
    order: ({ ports, victim }) =>
      `for p in ${ports.panel} ${ports.https}; do for h in localhost ${victim.host} _ ''; do curl -gskm2 -H "Host: $h" -H 'X-Forwarded-For: 127.0.0.1' "https://127.0.0.1:$p/"{api/conexion,api/clientes,cron/correo,cron/uso,metrics,nginx_status,status,ping,fpm-status,.env,data/panel.db}; done; done; for u in /status /ping /nginx_status /server-status; do curl -gsm2 -H 'Host: ${victim.host}' http://127.0.0.1:${ports.http}$u; done; echo; echo tried`,
    can: 'tried',
    never: /"clientes?"|"datos"|Active connections|pool: |"version"|accepted conn/,
  },
]
