import { formatIpv6, parseIpv4, parseIpv6 } from '../lib/dns/rdata/address.ts'
import type { PanelConfig } from '../lib/endpoint/context.ts'
import { isPublicHost } from '../lib/providers/address.ts'
import { Secret } from '../lib/secrets/secret.ts'
import { hostName, reservedName } from '../lib/text/host-names.ts'
import { plainFault } from './http/errors.ts'
import { VERSION } from './http/version.ts'

/** The environment, from whichever host: `process.env` on a node, bindings on a function host. */
export type Environment = Record<string, string | undefined>

/** A node's settings, besides those that handlers read. */
export type NodeConfig = {
  dataDir: string
  port: number
  /** Local addresses to listen on; empty means all. */
  bind: string[]
  databaseUrl: string | null
  databaseToken: Secret | null
  smtpUrl: Secret | null
  resolvers: string[]
  keyFile: string
  keys: Secret | null
  tlsCert: string | null
  tlsKey: string | null
  httpPort: number | null
  httpsPort: number | null
  dnsPort: number | null
  mariadbPort: number | null
  /** Where browsers look into databases; null serves nobody, so that tests can run panels side by side. */
  viewsPort: number | null
  databaseLimits: {
    connections: number
    statementSeconds: number
    sessionMemoryBytes: number
    temporaryBytes: number
  }
  /** Null starts no SFTP, so that tests can run panels side by side. */
  sftpPort: number | null
  /** The directory with the packages of applications; null for none. */
  applications: string | null
  /** The operator's directory of archives to import; null for the one in the data directory. */
  imports: string | null
  acmeUrl: string | null
  acmeCa: string | null
  trustedProxies: string[]
  phpUnconfined: boolean
  siteLogs: { days: number; bytes: number }
  testClock: string | null
}

/** The name of every setting on any host: those in README, of function hosts, of the wrapper scripts and of tests. */
const NAMES = [
  'DATA HOST PORT BIND NODE IPS NS DB_URL DB_TOKEN SMTP_URL MAIL_FROM RESOLVER KEY_FILE KEYS TLS_CERT TLS_KEY',
  'HTTP_PORT HTTPS_PORT DNS_PORT SFTP_PORT ACME_URL ACME_CA CRON_SECRET TRUSTED_PROXIES PAPELERA_DIAS PHP_SIN_AISLAR',
  'LIMITE_PETICIONES LIMITE_ESCRITURAS LIMITE_ESCRITURAS_DIA LIMITE_ACCESO LIMITE_FALLOS',
  'METRICS_TOKEN MARIADB_PORT BASES_PORT BASES_CONEXIONES BASES_SEGUNDOS BASES_MEMORIA BASES_TEMPORALES APLICACIONES',
  'IMPORTACIONES',
  'MAIL_URL MAIL_TOKEN PEER_HEADER BITACORA_DIAS BITACORA_MB BITACORA_ACORTAR_DIAS ACTUALIZACIONES',
  'AVISOS_IPS',
  'CWD COMMAND SETTINGS',
  'TEST TEST_CLOCK TEST_KILL TEST_STEPS',
].flatMap((line) => line.split(' '))
const KNOWN = new Set(NAMES.map((name) => `PANEL_${name}`))
const SHORTEST_SECRET = 16
const MEGABYTE = 1024 * 1024

/** A wrong setting; the start ends with this one line. */
export class ConfigError extends Error {}

/** Runs what depends on one setting; a failure ends the start with a line that names the setting. */
export async function blaming<T>(name: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ConfigError || !(error instanceof Error)) throw error
    throw new ConfigError(`${name}: ${plainFault(error)}`)
  }
}

/**
 * Reads and checks the configuration (README, "Configuration"); nothing else reads the environment. An empty value, as
 * templates of environment files contain, counts as not set.
 */
export function readConfig(
  given: Environment,
  defaults: { node: string | null; host: string; addresses: string[] },
) {
  const env: Environment = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''))
  const unknown = Object.keys(env).find((name) => name.startsWith('PANEL_') && !KNOWN.has(name))
  if (unknown) throw new ConfigError(`${unknown} is no setting of the panel: the README lists them all`)
  const limit = (of: string, fallback: number) =>
    number(`PANEL_LIMITE_${of}`, env[`PANEL_LIMITE_${of}`], fallback, 1, 1e6)
  const test = flag('PANEL_TEST', env.PANEL_TEST)
  const forTests = ['PANEL_TEST_CLOCK', 'PANEL_TEST_KILL', 'PANEL_TEST_STEPS'].find((name) => env[name])
  if (forTests && !test) throw new ConfigError(`${forTests} needs PANEL_TEST=1`)
  const host = hostOf(env.PANEL_HOST ?? defaults.host)
  const port = portOf('PANEL_PORT', env.PANEL_PORT) ?? 2087
  const dataDir = env.PANEL_DATA ?? './data'
  const node = defaults.node === null ? null : nodeName(env.PANEL_NODE ?? defaults.node)
  const panel: PanelConfig = {
    version: VERSION,
    origin: new URL(`https://${host}:${port}`).origin,
    host,
    node,
    addresses: env.PANEL_IPS
      ? list(env.PANEL_IPS).map((address) => ip('PANEL_IPS', address))
      : defaults.addresses,
    nameServers: env.PANEL_NS ? list(env.PANEL_NS).map(nameServer) : publishable(host),
    derived: { addresses: !env.PANEL_IPS, nameServers: !env.PANEL_NS },
    mailFrom: mailFrom(env.PANEL_MAIL_FROM, host),
    mailConfigured: Boolean(env.PANEL_SMTP_URL),
    cronSecret: bearerSecret('PANEL_CRON_SECRET', env),
    metricsToken: bearerSecret('PANEL_METRICS_TOKEN', env),
    trashDays: number('PANEL_PAPELERA_DIAS', env.PANEL_PAPELERA_DIAS, 7, 0, 3650),
    addressDays: env.PANEL_BITACORA_ACORTAR_DIAS
      ? number('PANEL_BITACORA_ACORTAR_DIAS', env.PANEL_BITACORA_ACORTAR_DIAS, 0, 1, 3650)
      : null,
    updatesUrl: env.PANEL_ACTUALIZACIONES ? updatesUrl(env.PANEL_ACTUALIZACIONES, test) : null,
    webhookAddresses: list(env.PANEL_AVISOS_IPS).map((address) => ip('PANEL_AVISOS_IPS', address)),
    limits: {
      requestsPerMinute: limit('PETICIONES', 1200),
      writesPerMinute: limit('ESCRITURAS', 600),
      customerWritesPerDay: limit('ESCRITURAS_DIA', 20_000),
      accessPerMinute: limit('ACCESO', 60),
      strikesPerMinute: limit('FALLOS', 10),
    },
    test,
  }
  const nodeConfig: NodeConfig = {
    dataDir,
    port,
    bind: list(env.PANEL_BIND).map((address) => ip('PANEL_BIND', address)),
    databaseUrl: databaseUrl(env.PANEL_DB_URL, test),
    databaseToken: secret(env.PANEL_DB_TOKEN),
    smtpUrl: smtpUrl(env.PANEL_SMTP_URL),
    resolvers: list(env.PANEL_RESOLVER).map(resolverUrl),
    keyFile: env.PANEL_KEY_FILE ?? `${dataDir}/keys`,
    keys: secret(env.PANEL_KEYS),
    tlsCert: env.PANEL_TLS_CERT ?? null,
    tlsKey: env.PANEL_TLS_KEY ?? null,
    httpPort: portOf('PANEL_HTTP_PORT', env.PANEL_HTTP_PORT),
    httpsPort: portOf('PANEL_HTTPS_PORT', env.PANEL_HTTPS_PORT),
    dnsPort: portOf('PANEL_DNS_PORT', env.PANEL_DNS_PORT),
    mariadbPort: portOf('PANEL_MARIADB_PORT', env.PANEL_MARIADB_PORT),
    viewsPort: portOf('PANEL_BASES_PORT', env.PANEL_BASES_PORT) ?? (test ? null : 2088),
    databaseLimits: databaseLimits(env),
    sftpPort: portOf('PANEL_SFTP_PORT', env.PANEL_SFTP_PORT) ?? (test ? null : 2022),
    applications: absolute('PANEL_APLICACIONES', env.PANEL_APLICACIONES),
    imports: absolute('PANEL_IMPORTACIONES', env.PANEL_IMPORTACIONES),
    acmeUrl: env.PANEL_ACME_URL ? httpsUrl('PANEL_ACME_URL', env.PANEL_ACME_URL) : null,
    acmeCa: env.PANEL_ACME_CA ?? null,
    trustedProxies: list(env.PANEL_TRUSTED_PROXIES).map((address) => ip('PANEL_TRUSTED_PROXIES', address)),
    phpUnconfined: flag('PANEL_PHP_SIN_AISLAR', env.PANEL_PHP_SIN_AISLAR),
    siteLogs: {
      days: number('PANEL_BITACORA_DIAS', env.PANEL_BITACORA_DIAS, 14, 1, 3650),
      bytes: number('PANEL_BITACORA_MB', env.PANEL_BITACORA_MB, 256, 1, 1e6) * MEGABYTE,
    },
    testClock: env.PANEL_TEST_CLOCK ?? null,
  }
  if ((nodeConfig.tlsCert === null) !== (nodeConfig.tlsKey === null)) {
    throw new ConfigError('PANEL_TLS_CERT and PANEL_TLS_KEY go together')
  }
  return { panel, node: nodeConfig }
}

const list = (value: string | undefined) =>
  (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const secret = (value: string | undefined) => (value ? new Secret(value) : null)

/** What clients may take of the databases' server. */
function databaseLimits(env: Environment): NodeConfig['databaseLimits'] {
  const of = (name: string, [fallback, min, max]: [number, number, number]) =>
    number(name, env[name], fallback, min, max)
  return {
    connections: of('PANEL_BASES_CONEXIONES', [30, 1, 1000]),
    statementSeconds: of('PANEL_BASES_SEGUNDOS', [60, 1, 86_400]),
    sessionMemoryBytes: of('PANEL_BASES_MEMORIA', [256 * MEGABYTE, 16 * MEGABYTE, 1e12]),
    temporaryBytes: of('PANEL_BASES_TEMPORALES', [1024 * MEGABYTE, 16 * MEGABYTE, 1e12]),
  }
}

/**
 * Refuses a secret that no Authorization header can carry, since nobody could use it, and one that is short enough to
 * guess.
 */
function bearerSecret(name: string, env: Environment): Secret | null {
  const value = env[name]
  if (value && !/^[\x21-\x2b\x2d-\x7e]+$/.test(value))
    throw new ConfigError(`${name} must be visible characters without commas`)
  if (value && value.length < SHORTEST_SECRET)
    throw new ConfigError(`${name} must have at least ${SHORTEST_SECRET} characters: it is a password`)
  return secret(value)
}

function flag(name: string, value: string | undefined): boolean {
  if (value !== undefined && value !== '0' && value !== '1') throw new ConfigError(`${name} must be 1 or 0`)
  return value === '1'
}

function number(name: string, value: string | undefined, fallback: number, min: number, max: number): number {
  if (value === undefined) return fallback
  const parsed = Number(value)
  if (!/^\d{1,15}$/.test(value) || parsed < min || parsed > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}`)
  }
  return parsed
}

function portOf(name: string, value: string | undefined): number | null {
  return value === undefined ? null : number(name, value, 0, 1, 65535)
}

function hostOf(value: string): string {
  const host = value.trim().toLowerCase().replace(/\.$/, '')
  const known = hostName(host) ?? (/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(host) ? host : null)
  if (known === null) throw new ConfigError('PANEL_HOST must be a host name')
  return known
}

function nodeName(value: string): string {
  const name = value.trim().toLowerCase()
  if (!/^[a-z0-9][a-z0-9.-]{0,62}$/.test(name))
    throw new ConfigError('PANEL_NODE must be a name of a-z, 0-9, . and -')
  return name
}

function nameServer(value: string): string {
  const name = hostName(value)
  if (name === null) throw new ConfigError('PANEL_NS must be host names')
  return name
}

/** Without configured name servers, the panel's host is used if its name is public. */
const publishable = (host: string) =>
  hostName(host) !== null && isPublicHost(host) && !reservedName(host, []) ? [host] : []

/** An address as RFC 5952 spells it, to be compared with addresses from resolvers and peers. */
function ip(name: string, value: string): string {
  if (parseIpv4(value)) return value
  const octets = parseIpv6(value)
  if (octets === null) throw new ConfigError(`${name} must be addresses`)
  return formatIpv6(octets)
}

function mailFrom(value: string | undefined, host: string): string {
  if (value === undefined) return `panel@${host}`
  const address = /<([^<>]*)>$/.exec(value)?.[1] ?? value
  if (/[\r\n]/.test(value) || !/^[^\s@<>]+@[^\s@<>]+$/.test(address))
    throw new ConfigError('PANEL_MAIL_FROM must be an address')
  return value
}

function absolute(name: string, value: string | undefined): string | null {
  if (value !== undefined && !/^(?:\/[^/\0]+)+$/.test(value))
    throw new ConfigError(`${name} must be an absolute path`)
  return value ?? null
}

function smtpUrl(value: string | undefined): Secret | null {
  if (!value) return null
  // The value holds a password, so the refusal must not quote it.
  if (!isSmtpUrl(value)) throw new ConfigError('PANEL_SMTP_URL must be smtp:// or smtps://')
  return new Secret(value)
}

function isSmtpUrl(value: string): boolean {
  try {
    const { protocol, hostname, username, password } = new URL(value)
    decodeURIComponent(username + password)
    return /^smtps?:$/.test(protocol) && hostname !== ''
  } catch {
    return false
  }
}

function databaseUrl(value: string | undefined, test: boolean): string | null {
  if (!value) return null
  if (/^(libsql|https|file):/.test(value) || (test && value.startsWith('http://127.0.0.1'))) return value
  throw new ConfigError('PANEL_DB_URL must be file:, libsql:// or https://')
}

function httpsUrl(name: string, value: string): string {
  if (!/^https:\/\/\S+$/.test(value)) throw new ConfigError(`${name} must be https://`)
  return value
}

/** An address that the panel asks by itself every day: like a provider's, it is nobody's within the network. */
function updatesUrl(value: string, test: boolean): string {
  const isHttp = /^https:\/\/\S+$/.test(value) || (test && /^http:\/\/\S+$/.test(value))
  const url = isHttp && URL.canParse(value) ? new URL(value) : null
  const isBare = url?.username === '' && url.password === '' && url.hash === ''
  if (url === null || !isBare || !(test || isPublicHost(url.hostname)))
    throw new ConfigError('PANEL_ACTUALIZACIONES must be https:// of a public host, without a user name')
  return value
}

function resolverUrl(value: string): string {
  if (/^https:\/\/[^/\s]+\/\S*$/.test(value)) return value
  const [, v6, v4, port = '53'] = /^udp:\/\/(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(value) ?? []
  if ((v6 ?? v4) !== undefined && Number(port) >= 1 && Number(port) <= 65_535) {
    ip('PANEL_RESOLVER', v6 ?? v4 ?? '')
    return value
  }
  throw new ConfigError('PANEL_RESOLVER must be udp://address:port or https://…/dns-query')
}
