import { Database } from 'bun:sqlite'
import { chmod, lchown, mkdir, open, readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { dirname } from 'node:path'
import { putInPlace } from '../host/files.ts'
import { unfinishedIn } from '../host/unfinished.ts'
import type { Port } from '../services/definition.ts'
import { holderOf, markOf } from '../services/recognition.ts'
import { userNamed } from '../users/users.ts'
import { PowerDnsApi } from './api.ts'
import { databaseIn, dataDirectoryIn, type PdnsOptions, renderPdnsConf } from './config.ts'
import type { ApiKey } from './key.ts'
import type { ApiPort } from './port.ts'

/**
 * How the DNS server is run, in the form that the node's supervisor takes: `check`, write `files`, start
 * `argv`, wait until `ready`.
 */
export type PdnsService = {
  argv: string[]
  /** The files for the next start; after `renew` they hold another key. */
  readonly files: { path: string; content: string; mode: number }[]
  /** Has the next start use another key, and another port where somebody took the one that it had. */
  renew(): Promise<void>
  /** Number of the user that it becomes. */
  user?: number
  /** Makes the directories and the database where missing; may be repeated. */
  check(): Promise<void>
  /** Whether it answers now; never throws. */
  ready(): Promise<boolean>
  /** Its version while it answers, else null. */
  version(): Promise<string | null>
  /** Sockets that it needs, on the addresses that it was given and for its API. */
  readonly ports: Port[]
  package: string
  distributionUnit: string
  /** See `ServiceDefinition`. */
  unitProperties: string[]
  /** Brings what it has committed to the disk: its database syncs at checkpoints only. */
  persist(): Promise<void>
  /** Origin of its API, for the driver. */
  apiUrl(): string
  /** Whether it is seen to be the one that listens there: another panel's may have taken the port. */
  isServer(): boolean
}

export type PdnsServiceOptions = Omit<PdnsOptions, 'apiKey' | 'apiPort'> & {
  apiKey: ApiKey
  apiPort: ApiPort
}

/** The DNS server of a node as a service. Throws Error on options that cannot be rendered. */
export function pdnsService(options: PdnsServiceOptions): PdnsService {
  const { directory, apiAddress = '127.0.0.1', apiPort, apiKey, addresses, port, user } = options
  const host = apiAddress.includes(':') ? `[${apiAddress}]` : apiAddress
  const apiUrl = () => `http://${host}:${apiPort.current()}`
  const argv = [PROGRAM, `--config-dir=${directory}`]
  const becomes = user === undefined ? {} : userNumber(user)
  const api = (): Port => ({ protocol: 'tcp', address: apiAddress, port: apiPort.current() })
  const isHolder = holderOf(markOf({ argv, ...becomes }))
  const isServer = () => isHolder(api())
  const client = new PowerDnsApi({ url: apiUrl, apiKey: apiKey.current, isServer, timeoutMs: 2000 })
  const version = () => client.version().catch(() => null)
  return {
    argv,
    get files() {
      const content = renderPdnsConf({
        ...options,
        apiPort: apiPort.current(),
        apiKey: apiKey.current(),
      })
      // It holds the key and is read before the privileges are dropped, so nobody else needs to read it.
      return [{ path: `${directory}/pdns.conf`, content, mode: 0o600 }]
    },
    async renew() {
      await apiPort.renew()
      apiKey.renew()
    },
    ...becomes,
    check: () => prepare(directory, user),
    ready: async () => (await version()) !== null,
    version,
    get ports() {
      const both = ['udp', 'tcp'] as const
      return [...addresses.flatMap((address) => both.map((protocol) => ({ protocol, address, port }))), api()]
    },
    ...DEBIAN,
    persist: () => syncFile(`${databaseIn(directory)}-wal`),
    apiUrl,
    isServer,
  }
}

/** The user that Debian's package makes for the server. */
export const PDNS_USER = 'pdns'
export const PROGRAM = '/usr/sbin/pdns_server'
const DEBIAN = {
  package: 'pdns-server pdns-backend-sqlite3',
  distributionUnit: 'pdns.service',
  unitProperties: ['MemoryMax=2G', 'PrivateTmp=yes', 'ProtectSystem=full', 'NoNewPrivileges=yes'],
}
/** Debian's package brings the schema that fits its own server. */
const SCHEMA = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql'

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
  const ids = userNamed(user)
  if (ids === null) throw new Error(`there is no user ${user}`)
  const { uid, gid } = ids
  // Changes the directory itself and follows no link that the server's user may have put there.
  await lchown(dataDirectoryIn(directory), uid, gid)
  for (const suffix of ['', '-wal', '-shm']) {
    if (await Bun.file(path + suffix).exists()) await lchown(path + suffix, uid, gid)
  }
}

/** Made under another name first: a half-made database would be taken for a whole one. */
async function createDatabase(path: string): Promise<void> {
  const made = unfinishedIn(dirname(path))
  const database = new Database(made, { create: true })
  database.exec('PRAGMA journal_mode = WAL')
  database.exec(await readFile(SCHEMA, 'utf8'))
  database.close()
  putInPlace(made, path)
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

function userNumber(user: string): { user?: number } {
  const ids = userNamed(user)
  return ids === null ? {} : { user: ids.uid }
}
