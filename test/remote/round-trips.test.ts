import { afterEach, beforeEach, describe, expect, type Mock, spyOn, test } from 'bun:test'
import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { remoteClient } from '../../deploy/database/remote/database.ts'
import { readFunctionConfig } from '../../deploy/function/config.ts'
import { createApp } from '../../deploy/http/router.ts'
import { argon2Passwords } from '../../deploy/node/host/passwords.ts'
import { JOB_KINDS } from '../../deploy/node/job-kinds.ts'
import { absentServices } from '../../deploy/node/services/absent.ts'
import { handlers } from '../../handlers/index.ts'
import type { Services } from '../../lib/endpoint/context.ts'
import { operationOf } from '../../lib/endpoint/invoke.ts'
import type { Applications } from '../../lib/endpoint/ports/applications.ts'
import type { SiteFiles } from '../../lib/endpoint/ports/files.ts'
import { dohResolver } from '../../lib/resolver/doh.ts'
import { newKeyLine, parseKeyRing } from '../../lib/secrets/keys.ts'
import { memoryLimits, sharedLimits } from '../../lib/store/counters.ts'
import { createDatabase, type Database } from '../../lib/store/database.ts'
import { migrate } from '../../lib/store/migrate.ts'
import { Worker } from '../../lib/work/worker.ts'
import { tokens } from '../../schema/tables.ts'
import { loopbackCertificate } from '../support/certificate.ts'
import { startDoh } from '../support/doh.ts'
import { FunctionHost } from '../support/function-host.ts'
import { type LibsqlServer, startLibsqlServer } from '../support/libsql-server.ts'
import { type PowerDns, startPowerDns } from '../support/providers/powerdns.ts'
import { startUnbound, type Unbound } from '../support/providers/unbound.ts'
import { random, seedAdmin, seedNode } from '../support/seed.ts'
import { eventually } from '../support/wait.ts'
import { EveryOperation, PASSWORD, type World } from './every-operation.ts'

/** What runs all day. */
const HOT = [
  'GET /conexion',
  'GET /clientes',
  'GET /clientes/<cliente>',
  'GET /clientes/<cliente>/uso',
  'GET /uso',
  'GET /sitios',
  'GET /sitios/<domain>',
  'GET /planes',
  'GET /zonas',
  'GET /zonas/<zona>',
  'GET /zonas/<zona>/registros',
  'GET /espejo',
  'GET /auditoria',
  'GET /eventos',
  'GET /tareas',
  'GET /nodos',
  'GET /resumen',
]
const HOT_TRIPS = 2
const MOST_TRIPS = 4

let folder: string
/** The provider, and what the resolver asks; the zone is at the latter alone. */
let pdns: PowerDns
let internet: PowerDns
let unbound: Unbound
let doh: Awaited<ReturnType<typeof startDoh>>
let trusted: Mock<typeof fetch>
let server: LibsqlServer
let db: Database
let env: Record<string, string>
let keyLine: string
let admin: Awaited<ReturnType<typeof seedAdmin>>

beforeEach(async () => {
  const { ca } = await loopbackCertificate()
  const plain = globalThis.fetch
  trusted = spyOn(globalThis, 'fetch').mockImplementation(
    Object.assign(
      (url: Parameters<typeof fetch>[0], init?: RequestInit) => plain(url, { ...init, tls: { ca } }),
      plain,
    ),
  )
  ;[pdns, internet] = await Promise.all([startPowerDns(), startPowerDns()])
  const outside = { 'acme.net': '192.0.2.1', 'probada.net': '192.0.2.1', 'ajena.net': '203.0.113.9' }
  for (const [zone, content] of Object.entries(outside)) {
    await internet.api('POST', '/zones', {
      name: `${zone}.`,
      kind: 'Native',
      nameservers: [`ns1.${zone}.`],
      rrsets: [{ name: `${zone}.`, type: 'A', ttl: 60, records: [{ content }] }],
    })
  }
  unbound = await startUnbound(
    Object.fromEntries(Object.keys(outside).map((zone) => [zone, internet.dnsPort])),
  )
  doh = await startDoh(unbound.port)
  folder = await mkdtemp(join(tmpdir(), 'trips-'))
  server = await startLibsqlServer({ path: join(folder, 'server.db') })
  const client = remoteClient({ url: server.url, token: server.token })
  await migrate(client, new Date(), async () => {})
  db = createDatabase(client)
  keyLine = newKeyLine(random)
  env = {
    PANEL_TEST: '1',
    PANEL_HOST: 'panel.test',
    PANEL_DB_URL: server.url,
    PANEL_DB_TOKEN: server.token,
    PANEL_RESOLVER: doh.url,
    PANEL_KEYS: keyLine,
  }
  admin = await seedAdmin(db, parseKeyRing(keyLine), await argon2Passwords().hash(PASSWORD))
  await seedNode(db, 'nodo1')
})

afterEach(async () => {
  trusted.mockRestore()
  await Promise.all([doh.stop(), unbound.stop(), pdns.stop(), internet.stop()])
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

type Host = Pick<World, 'fetch' | 'trips'> & { stop(): Promise<void> }

const HOSTS: Record<string, () => Promise<Host>> = {
  async 'a function host in workerd'() {
    const host = await FunctionHost.start({ database: server, keys: keyLine, env })
    return {
      async fetch(request) {
        const { pathname, search } = new URL(request.url)
        const body = request.body === null ? {} : { body: await request.text() }
        return host.fetch(pathname + search, { method: request.method, headers: request.headers, ...body })
      },
      trips: () => server.roundTrips(),
      stop: () => host.stop(),
    }
  },

  /** Whose requests are counted, and not what its worker does beside them. */
  async 'a node that waits for its work'() {
    const requests = new AsyncLocalStorage<true>()
    let trips = 0
    const own = remoteClient({
      url: server.url,
      token: server.token,
      fetch(request, init) {
        if (requests.getStore()) trips++
        return fetch(request, init)
      },
    })
    const services = nodeOn(createDatabase(own))
    const worker = new Worker(services, { kinds: JOB_KINDS })
    services.work = {
      wake: () => requests.exit(() => worker.wake()),
      settle: (subjects, ms, look) => worker.settle(subjects, ms, look),
      runDue: () => worker.runDue(),
    }
    const app = createApp({
      services,
      handlers,
      assets: { files: new Map(), index: '' },
      trustedProxies: [],
      aot: true,
    })
    return {
      fetch: (request) => requests.run(true, () => app.fetch(request, { address: '192.0.2.9', port: null })),
      trips: () => trips,
      stop: () => worker.stop(),
    }
  },
}

/** A node whose parts only note what they are asked. */
function nodeOn(own: Database): Services {
  const { panel } = readFunctionConfig(env)
  return {
    db: own,
    now: () => new Date(),
    random,
    held: new Set(),
    passwords: argon2Passwords(),
    keys: parseKeyRing(keyLine),
    config: {
      ...panel,
      node: 'nodo1',
      addresses: ['192.0.2.1'],
      nameServers: ['ns1.panel.test', 'ns2.panel.test'],
    },
    log() {},
    limits: sharedLimits(own, memoryLimits()),
    mailer: null,
    resolvers: [dohResolver(doh.url, (target, init) => fetch(target, init))],
    driver: {
      ...absentServices(),
      phpVersions: () => ['8.2'],
      issuesCertificates: true,
      databaseAccess,
      files,
      applications,
    },
    work: { wake() {}, settle: async () => null, runDue: async () => 0 },
    fetch: globalThis.fetch,
  }
}

/** WordPress that takes no time. */
const applications: Applications = {
  offered: () => [],
  newest: () => '6.8',
  look: async () => ({ empty: true, version: '6.7' }),
  install: async () => ({ version: '6.7', language: 'es_ES', mailed: true }),
  undo: async () => {},
  clone: async () => ({ version: '6.8' }),
  publish: async () => {},
  takeBack: async () => {},
  update: async () => ({ version: '6.8' }),
  openSession: async () => {},
}
const databaseAccess = { socket: '/run/mysqld.sock', port: 3307, userPrefix: 'cp' }
/** Files that take no time: what is counted is the database's. */
const bytes = () => new Blob(['a']).stream()
const files: SiteFiles = {
  hasChanged: () => false,
  takeChanged: () => [],
  list: async () => [],
  search: async () => ({ found: [], whole: true }),
  bin: async () => ({ entries: [], next: null }),
  open: async () => ({ bytes: 1, modified: new Date(), etag: '"a"', content: bytes, close: async () => {} }),
  write: async () => ({ created: true, etag: '"a"' }),
  remove: async () => {},
  operate: async () => {},
  beginUpload: async () => ({ id: '0'.repeat(32), done: false }),
  upload: async () => ({ path: '/public/a', offset: 0, length: 1, expires: new Date() }),
  append: async () => ({ offset: 1, done: true }),
  dropUpload: async () => {},
  sweep: async () => 0,
  pack: async () => bytes(),
}

describe.each(Object.entries(HOSTS))('at %s', (_, start) => {
  test.each([
    ['', false],
    ['with an Idempotency-Key for each change, ', true],
  ])(
    '%sno operation of the hot path takes more than two round trips, none more than four',
    async (_, keyed) => {
      const host = await start()
      // A token's last use is written once a minute, beside the request.
      const headers = { authorization: `Bearer ${admin.token}` }
      await host.fetch(new Request('https://panel.test/api/conexion', { headers }))
      const noted = async () => (await db.read.select().from(tokens).get())?.lastUsedAt ?? null
      await eventually(noted, 'the note of its use')
      const story = new EveryOperation({ ...host, db, keyLine, admin, provider: pdns, keyed })
      await story.tell()
      await host.stop()
      const most = (operation: string) => (HOT.includes(operation) ? HOT_TRIPS : MOST_TRIPS)
      const over = [...story.trips].filter(([operation, taken]) => taken > most(operation))
      expect(over).toEqual([])
      const operations = handlers.filter(({ access }) => access.kind !== 'cron').map(operationOf)
      expect(operations.filter((operation) => !story.trips.has(operation))).toEqual([])
    },
    60_000,
  )
})
