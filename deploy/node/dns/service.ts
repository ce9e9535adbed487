import { Database } from 'bun:sqlite'
import { randomBytes } from 'node:crypto'
import { chmod, lchown, link, mkdir, open, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { Secret } from '../../../lib/secret.ts'
import { PowerDnsApi } from './api.ts'
import { databaseIn, dataDirectoryIn, type PdnsOptions, renderPdnsConf } from './config.ts'

/**
 * How the DNS server is run, in the form that the node's supervisor takes: `check`, write `files`, start
 * `argv`, wait until `ready`.
 */
export type PdnsService = {
  argv: string[]
  files: { path: string; content: string; mode: number }[]
  /** Makes the directories and the database where missing; may be repeated. */
  check(): Promise<void>
  /** Whether it answers now; never throws. */
  ready(): Promise<boolean>
  /** Its version while it answers, else null. */
  version(): Promise<string | null>
  /** Sockets that it needs, on the addresses that it was given and for its API. */
  ports: { protocol: 'tcp' | 'udp'; address: string; port: number }[]
  package: string
  distributionUnit: string
  /** See `ServiceDefinition`. */
  unitProperties: string[]
  /** Brings what it has committed to the disk: its database syncs at checkpoints only. */
  persist(): Promise<void>
  /** Origin of its API, for the driver. */
  apiUrl: string
}

/** The DNS server of a node as a service. Throws Error on options that cannot be rendered. */
export function pdnsService(options: PdnsOptions): PdnsService {
  const { directory, apiAddress = '127.0.0.1', apiPort, apiKey, addresses, port, user } = options
  const content = renderPdnsConf(options)
  const host = apiAddress.includes(':') ? `[${apiAddress}]` : apiAddress
  const apiUrl = `http://${host}:${apiPort}`
  const api = new PowerDnsApi({ url: apiUrl, apiKey, timeoutMs: 2000 })
  const version = () => api.version().catch(() => null)
  return {
    argv: [PROGRAM, `--config-dir=${directory}`],
    // It holds the key and is read before the privileges are dropped, so nobody else needs to read it.
    files: [{ path: `${directory}/pdns.conf`, content, mode: 0o600 }],
    check: () => prepare(directory, user),
    ready: async () => (await version()) !== null,
    version,
    ports: [
      ...addresses.flatMap((address) => [
        { protocol: 'udp' as const, address, port },
        { protocol: 'tcp' as const, address, port },
      ]),
      { protocol: 'tcp', address: apiAddress, port: apiPort },
    ],
    package: 'pdns-server pdns-backend-sqlite3',
    distributionUnit: 'pdns.service',
    unitProperties: ['MemoryMax=2G', 'PrivateTmp=yes', 'ProtectSystem=full', 'NoNewPrivileges=yes'],
    persist: () => syncFile(`${databaseIn(directory)}-wal`),
    apiUrl,
  }
}

/** The user that Debian's package makes for the server. */
export const PDNS_USER = 'pdns'
export const PROGRAM = '/usr/sbin/pdns_server'
/** Debian's package brings the schema that fits its own server. */
const SCHEMA = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql'

/**
 * The API's key, made at the first call and kept in a file that only its owner reads. Two callers at
 * once get the same key.
 */
export async function apiKeyIn(path: string): Promise<Secret> {
  if (!(await Bun.file(path).exists())) {
    const made = `${path}.${randomBytes(6).toString('hex')}`
    await writeFile(made, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' })
    // A link is made whole or, when another caller was first, not at all.
    await link(made, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    await unlink(made)
  }
  const key = (await readFile(path, 'utf8')).trim()
  if (!/^[0-9a-f]{64}$/.test(key)) throw new Error('the key of the DNS server is damaged; delete its file')
  return new Secret(key)
}

/**
 * The addresses to answer on when none are configured: all of this machine but those of a local
 * resolver (127.0.0.53, 127.0.0.54 of systemd-resolved) and link-local ones, which need an interface.
 */
export function dnsAddresses(bind: string[]): string[] {
  if (bind.length > 0) return bind
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const found = all
    .map(({ address }) => address)
    .filter((address) => !/^(?:fe80:|127\.0\.0\.5[34]$)/i.test(address))
  return [...new Set(found)]
}

/** 0711: the server's user has to pass to its data, and can read nothing on the way. */
export async function makeDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  await chmod(directory, 0o711)
}

async function prepare(directory: string, user: string | undefined): Promise<void> {
  if (!(await Bun.file(PROGRAM).exists())) throw new Error(`${PROGRAM} is not installed`)
  await makeDirectory(directory)
  await mkdir(dataDirectoryIn(directory), { recursive: true, mode: 0o700 })
  const path = databaseIn(directory)
  if (!(await Bun.file(path).exists())) await createDatabase(path)
  if (user === undefined) return
  const { uid, gid } = await idsOf(user)
  // By no link that the server's user may have put there.
  await lchown(dataDirectoryIn(directory), uid, gid)
  for (const suffix of ['', '-wal', '-shm']) {
    if (await Bun.file(path + suffix).exists()) await lchown(path + suffix, uid, gid)
  }
}

/** Under another name first: a half-made database would be taken for a whole one. */
async function createDatabase(path: string): Promise<void> {
  const made = `${path}.${randomBytes(6).toString('hex')}`
  const database = new Database(made, { create: true })
  database.exec('PRAGMA journal_mode = WAL')
  database.exec(await readFile(SCHEMA, 'utf8'))
  database.close()
  await rename(made, path)
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  try {
    await file?.sync()
  } finally {
    await file?.close()
  }
}

async function idsOf(user: string): Promise<{ uid: number; gid: number }> {
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((one) => one.startsWith(`${user}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined || gid === undefined) throw new Error(`there is no user ${user}`)
  return { uid: Number(uid), gid: Number(gid) }
}
