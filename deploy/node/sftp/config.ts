import { join } from 'node:path'
import type { Layout } from '../files/layout.ts'

/** Where the SSH server's files are; all of them belong to root. `etc` is what the server sees as /etc. */
export function placesOf(layout: Layout) {
  const at = (...parts: string[]) => join(layout.base, 'ssh', ...parts)
  return {
    base: at(),
    config: at('sshd_config'),
    hostKeys: at('host'),
    /** When each account was last used: `<account>` for sessions, `<account>.password` for its password. */
    used: at('used'),
    /** `<client>:<account>`: accounts whose sessions are still to be ended. */
    ending: at('ending'),
    etc: at('etc'),
    accounts: at('etc', 'accounts'),
    secrets: at('etc', 'secrets'),
    keys: at('etc', 'keys'),
  }
}

export type Places = ReturnType<typeof placesOf>

export const SSHD = '/usr/sbin/sshd'

/** Kinds of host keys, the preferred one first. */
export const HOST_KEYS = ['ed25519', 'ecdsa'] as const
/** The server's group of accounts that may only read; its number is used by nobody on the machine. */
const READERS = 'solo_lectura'
const READERS_GID = 4_294_900_001
/** Names that the server's own list of users has. */
export const OWN_USERS = ['_root', 'sshd']

/**
 * Only SFTP, in a directory of the session's own. Nobody is refused by chance before all places to sign in are taken,
 * which needs forty addresses; with IPv6 one is all that a network of the usual size has.
 */
const RULES = `PidFile none
LogLevel INFO
UsePAM yes
PermitRootLogin no
DenyUsers ${OWN_USERS.join(' ')}
AuthenticationMethods publickey password
PubkeyAuthentication yes
PasswordAuthentication yes
KbdInteractiveAuthentication no
HostbasedAuthentication no
PermitEmptyPasswords no
RequiredRSASize 3072
AuthorizedKeysFile /etc/keys/%u
PermitUserRC no
PermitUserEnvironment no
LoginGraceTime 30
MaxAuthTries 4
MaxSessions 10
MaxStartups 400
PerSourceMaxStartups 10
PerSourceNetBlockSize 32:48
ClientAliveInterval 60
ClientAliveCountMax 5
UseDNS no
DisableForwarding yes
X11Forwarding no
AllowTcpForwarding no
AllowStreamLocalForwarding no
AllowAgentForwarding no
PermitTunnel no
GatewayPorts no
PermitListen none
PermitOpen none
PermitTTY no
PrintMotd no
PrintLastLog no
Banner none
ChrootDirectory /run/v
Subsystem sftp internal-sftp -u 0027 -d %d
ForceCommand internal-sftp -u 0027 -d %d
Match Group ${READERS}
  ForceCommand internal-sftp -R -u 0027 -d %d
`

/** The server's configuration. */
export function renderServer(places: Places, { bind, port }: { bind: string[]; port: number }): string {
  const addresses = bind.length > 0 ? bind : ['0.0.0.0', '::']
  const listen = addresses.map((address) => (address.includes(':') ? `[${address}]` : address))
  return [
    '# Written by the panel at each start.',
    ...listen.map((address) => `ListenAddress ${address}:${port}`),
    ...HOST_KEYS.map((kind) => `HostKey ${join(places.hostKeys, kind)}`),
    RULES,
  ].join('\n')
}

/** What the server finds in /etc beside the accounts. */
export function renderEtc(base: string): { name: string; content: string; mode: number }[] {
  const file = (name: string, content: string, mode = 0o644) => ({ name, content, mode })
  return [
    file('base', `${base}\n`),
    file('nsswitch.conf', 'passwd: files\ngroup: files\nshadow: files\nhosts: files\n'),
    file(
      'pam.d/sshd',
      `auth required pam_exec.so quiet expose_authtok /etc/panel/password.pl ${base}
account required pam_permit.so
session required pam_namespace.so
password required pam_deny.so
`,
    ),
    file(
      'pam.d/other',
      ['auth', 'account', 'session', 'password'].map((kind) => `${kind} required pam_deny.so\n`).join(''),
    ),
    file('security/namespace.conf', '/run/v tmpfs tmpfs:mntopts=mode=0755,size=1m,nr_inodes=16k\n'),
  ]
}

/** An account as the server's list of users has it. */
export type User = { name: string; uid: number; gid: number; site: number | null; readOnly: boolean }

/**
 * The list of users: the accounts, root under a name that no account can have, and the user as which the server
 * waits.
 */
export function renderPasswd(users: User[], unprivileged: number): string {
  const own = [
    '_root:x:0:0::/:/usr/sbin/nologin',
    `sshd:x:${unprivileged}:65534::/run/sshd:/usr/sbin/nologin`,
  ]
  const lines = users.map(
    ({ name, uid, gid, site }) =>
      `${name}:x:${uid}:${gid}::${site === null ? '/sitios' : '/public'}:/usr/sbin/nologin`,
  )
  return `${[...own, ...lines].join('\n')}\n`
}

export function renderGroup(users: User[]): string {
  const readers = users.flatMap(({ name, readOnly }) => (readOnly ? name : []))
  return `_root:x:0:\n${READERS}:x:${READERS_GID}:${readers.join(',')}\n`
}
