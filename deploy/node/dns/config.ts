import { isIP } from 'node:net'
import type { Secret } from '../../../lib/secrets/secret.ts'

/** What the DNS server of a node is started with. */
export type PdnsOptions = {
  /**
   * Absolute directory of the service's own, made when missing. The configuration lies in it, which only its
   * owner writes; the database in `datos`, which belongs to the server's user.
   */
  directory: string
  /** Local addresses to answer on. */
  addresses: string[]
  port: number
  /** Port of the API on 127.0.0.1 (or `apiAddress`). */
  apiPort: number
  apiAddress?: string
  apiKey: Secret
  /** Unix user to become; left out when not root. */
  user?: string
}

/**
 * The server's configuration. Everything not asked for is off: zone transfer, updates, LUA records,
 * notifications, the version in answers, the security poll. Throws Error on a value that could be
 * read as more than itself.
 */
export function renderPdnsConf(options: PdnsOptions): string {
  const { directory, addresses, port, apiPort, apiAddress = '127.0.0.1', apiKey, user } = options
  if (addresses.length === 0) throw new Error('the DNS server needs an address')
  for (const address of [...addresses, apiAddress]) {
    if (isIP(address) === 0) throw new Error(`not an address: ${JSON.stringify(address)}`)
  }
  if (!/^(?:127\.|::1$)/.test(apiAddress)) throw new Error('the API of the DNS server stays on loopback')
  return lines({
    launch: 'gsqlite3',
    'gsqlite3-database': databaseIn(directory),
    'gsqlite3-dnssec': 'yes',
    // NORMAL: it is a copy that every start compares; `PdnsService.persist` is for the keys.
    'gsqlite3-pragma-synchronous': '1',
    'gsqlite3-pragma-foreign-keys': 'yes',
    'local-address': addresses.join(', '),
    'local-port': portOf(port),
    'local-address-nonexist-fail': 'no',
    'socket-dir': dataDirectoryIn(directory),
    'include-dir': '',
    ...(user ? { setuid: user, setgid: user } : {}),
    api: 'yes',
    'api-key': apiKey.reveal(),
    webserver: 'yes',
    'webserver-address': apiAddress,
    'webserver-port': portOf(apiPort),
    'webserver-allow-from': '127.0.0.0/8, ::1',
    // The status page asks for the same key: any local user reaches loopback.
    'webserver-password': apiKey.reveal(),
    'webserver-hash-plaintext-credentials': 'yes',
    'webserver-loglevel': 'none',
    'webserver-max-bodysize': '64',
    ...HARDENING,
  })
}

/** What the server's own user writes. */
export const dataDirectoryIn = (directory: string) => `${directory}/datos`
export const databaseIn = (directory: string) => `${dataDirectoryIn(directory)}/pdns.sqlite3`

const HARDENING = {
  daemon: 'no',
  guardian: 'no',
  'write-pid': 'no',
  'disable-syslog': 'yes',
  loglevel: '4',
  // Its own word for it, `anonymous`, is answered as a fault (SERVFAIL); a text that is empty, with the version.
  'version-string': 'none',
  'server-id': 'disabled',
  'security-poll-suffix': '',
  'disable-axfr': 'yes',
  'allow-axfr-ips': '',
  'allow-notify-from': '',
  dnsupdate: 'no',
  'allow-dnsupdate-from': '',
  'enable-lua-records': 'no',
  'expand-alias': 'no',
  primary: 'no',
  secondary: 'no',
  'edns-subnet-processing': 'no',
  // Of all and of one address; a resolver asks by TCP what is long, and hangs up.
  'max-tcp-connections': '400',
  'max-tcp-connections-per-client': '20',
  'max-tcp-connection-duration': '30',
  // Where more wait, what is not in its cache is left out. It would end itself at 5,000 that wait.
  'overload-queue-length': '1000',
  'default-soa-edit': '',
}

function lines(settings: Record<string, string>): string {
  const rendered = Object.entries(settings).map(([name, value]) => {
    // `#` starts a comment, a final backslash joins lines, a line end would be another setting.
    if (!/^[A-Za-z0-9_.:/=+, -]*$/.test(value)) throw new Error(`a value of ${name} cannot be written`)
    return `${name}=${value}`
  })
  return `${rendered.join('\n')}\n`
}

function portOf(port: number): string {
  if (!Number.isInteger(port) || port < 1 || port > 65535) throw new Error(`not a port: ${port}`)
  return String(port)
}
