import { afterEach, beforeEach, describe, expect, type Mock, spyOn, test } from 'bun:test'
import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readFunctionConfig } from '../../deploy/function/config.ts'
import { createHost } from '../../deploy/function/host.ts'
import { argon2Passwords } from '../../deploy/node/passwords.ts'
import { recordingDriver } from '../../deploy/node/recording-driver.ts'
import { remoteClient } from '../../deploy/remote/database.ts'
import { createApp } from '../../deploy/router.ts'
import { handlers } from '../../handlers/index.ts'
import type { Services } from '../../lib/context.ts'
import { createDatabase, type Database } from '../../lib/database.ts'
import { operationOf } from '../../lib/invoke.ts'
import { newKeyLine, parseKeyRing } from '../../lib/keys.ts'
import { memoryLimits } from '../../lib/limits.ts'
import { migrate } from '../../lib/migrate.ts'
import { dohResolver } from '../../lib/resolver/doh.ts'
import { sharedLimits } from '../../lib/shared-limits.ts'
import { JOB_KINDS } from '../../lib/worker/index.ts'
import { Worker } from '../../lib/worker/worker.ts'
import { tokens } from '../../schema/tables.ts'
import { loopbackCertificate } from '../support/certificate.ts'
import { startDoh } from '../support/doh.ts'
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
  'GET /tareas',
  'GET /nodos',
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
  await internet.api('POST', '/zones', {
    name: 'acme.net.',
    kind: 'Native',
    nameservers: ['ns1.acme.net.'],
    rrsets: [{ name: 'acme.net.', type: 'A', ttl: 60, records: [{ content: '192.0.2.1' }] }],
  })
  unbound = await startUnbound({ 'acme.net': internet.dnsPort })
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

const HOSTS: Record<string, () => Host> = {
  'a function host'() {
    const host = createHost({ env, handlers, crons: [] })
    const waiting: Promise<unknown>[] = []
    return {
      async fetch(request) {
        const call = { peer: '192.0.2.9', waitUntil: (work: Promise<unknown>) => void waiting.push(work) }
        return host.fetch(request, call)
      },
      trips: () => server.roundTrips(),
      stop: async () => void (await Promise.all(waiting)),
    }
  },

  /** Whose requests are counted, and not what its worker does beside them. */
  'a node that waits for its work'() {
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
      fetch: (request) => requests.run(true, () => app.fetch(request, '192.0.2.9')),
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
    driver: { ...recordingDriver(), phpVersions: () => ['8.2'], issuesCertificates: true },
    work: { wake() {}, settle: async () => null, runDue: async () => 0 },
    fetch: globalThis.fetch,
  }
}

describe.each(Object.entries(HOSTS))('at %s', (_, start) => {
  test.each([
    ['', false],
    ['with an Idempotency-Key for each change, ', true],
  ])(
    '%sno operation of the hot path takes more than two round trips, none more than four',
    async (_, keyed) => {
      const host = start()
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
