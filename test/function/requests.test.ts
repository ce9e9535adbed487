import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { remoteClient } from '../../deploy/database/remote/database.ts'
import { type Call, createHost } from '../../deploy/function/host.ts'
import { cronHandlers } from '../../handlers/cron/index.ts'
import { handlers } from '../../handlers/index.ts'
import { newKeyLine, parseKeyRing } from '../../lib/secrets/keys.ts'
import { createDatabase, type Database } from '../../lib/store/database.ts'
import { migrate } from '../../lib/store/migrate.ts'
import { clients, jobs, leases, sessions, sites, tokens } from '../../schema/tables.ts'
import { type LibsqlServer, startLibsqlServer } from '../support/libsql-server.ts'
import type { Json } from '../support/panel.ts'
import { random, seedAdmin, seedNode } from '../support/seed.ts'

setDefaultTimeout(60_000)

const CRON = { authorization: 'Bearer el-secreto-del-reloj' }
/** Shorter than what a slow database takes here. */
const ANSWER_MS = 600

let folder: string
let database: LibsqlServer
let db: Database
let admin: Awaited<ReturnType<typeof seedAdmin>>
let env: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'requests-'))
  database = await startLibsqlServer({ path: join(folder, 'shared.db') })
  const client = remoteClient({ url: database.url, token: database.token })
  await migrate(client, new Date(), async () => {})
  db = createDatabase(client)
  const line = newKeyLine(random)
  admin = await seedAdmin(db, parseKeyRing(line), 'nobody signs in here')
  await seedNode(db, 'nodo1')
  env = {
    PANEL_HOST: 'panel.test',
    PANEL_TEST: '1',
    PANEL_DB_URL: database.url,
    PANEL_DB_TOKEN: database.token,
    PANEL_KEYS: line,
    PANEL_CRON_SECRET: 'el-secreto-del-reloj',
    PANEL_PEER_HEADER: 'x-panel-peer',
  }
})

afterAll(async () => {
  await database.stop()
  await rm(folder, { recursive: true, force: true })
})

const crons = cronHandlers.map(({ job }) => job)
const all = [...handlers, ...cronHandlers]
const host = (hasty: { answerMs?: number } = {}) => createHost({ env, handlers: all, crons, ...hasty })

/** A request that a token makes. */
function request(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  return new Request(`https://panel.test${path}`, {
    method,
    headers: {
      authorization: `Bearer ${admin.token}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
}

/** The promises that the platform would wait for after a request. */
function kept(): Call & { work: Promise<unknown>[] } {
  const work: Promise<unknown>[] = []
  return { work, waitUntil: (promise) => void work.push(promise) }
}

test.each([
  ['while the change is written', 250],
  ['before the body is read', 700],
])(
  'an answer that comes too late, %s, is a whole problem document, and the work is seen to its end',
  async (_, delayMs) => {
    const call = kept()
    const panel = host({ answerMs: ANSWER_MS })
    const cliente = `tardio${delayMs}`
    database.faults.delayMs = delayMs
    const answer = await panel.fetch(request('POST', '/api/clientes', { cliente }), call)
    const body = (await answer.json()) as Json
    expect([answer.status, body.codigo, answer.headers.get('retry-after')]).toEqual([
      503,
      'no_disponible',
      '5',
    ])
    expect(body).toMatchObject({
      type: 'https://panel.test/docs/errores#no_disponible',
      title: 'Service Unavailable',
    })
    expect(body.peticion).toBe(answer.headers.get('x-request-id'))
    await Promise.all(call.work)
    database.faults.delayMs = 0
    expect(await db.read.select().from(clients).where(eq(clients.name, cliente))).toHaveLength(1)
    expect(database.openStreams()).toBe(0)
  },
)

test('a scheduled handler may take longer than an answer', async () => {
  database.faults.delayMs = 200
  const began = performance.now()
  const panel = host({ answerMs: ANSWER_MS })
  const answer = await panel.fetch(request('POST', '/cron/caducidad', undefined, CRON))
  database.faults.delayMs = 0
  expect(performance.now() - began).toBeGreaterThan(ANSWER_MS)
  expect(await answer.json()).toMatchObject({ tarea: 'caducidad', ejecutada: true })
})

test('each request keeps the host running only until its own writes have ended, including the token’s last use', async () => {
  const panel = host()
  const [one, other] = [kept(), kept()]
  database.faults.delayMs = 100
  await Promise.all([
    panel.fetch(request('POST', '/api/clientes', { cliente: 'propio' }), one),
    panel.fetch(new Request('https://panel.test/openapi.json'), other),
  ])
  database.faults.delayMs = 0
  expect(other.work).toHaveLength(1)
  await Promise.all(one.work)
  const row = await db.read.select().from(tokens).get()
  expect(Date.now() - (row?.lastUsedAt?.getTime() ?? 0)).toBeLessThan(10_000)
})

test('a function host runs none of the nodes’ scheduled work', async () => {
  const now = new Date()
  const [client] = await db.read.select().from(clients).limit(1)
  if (!client) throw new Error('no client')
  await db.write(async (tx) =>
    tx.later(
      tx.insert(sites).values({
        clientId: client.id,
        domain: 'sin-nodo.es',
        state: 'activo',
        httpsOnly: false,
        certificateNames: [],
        certificateState: 'autofirmado',
        createdAt: now,
      }),
    ),
  )
  // A minute in which every handler but the daily ones is due, and one with those.
  await host().scheduled(new Date('2026-11-21T10:15:00Z'))
  await host().scheduled(new Date('2026-11-21T03:40:00Z'))
  const held = (await db.read.select().from(leases)).map(({ name }) => name)
  for (const { name, everyNode } of crons) if (everyNode) expect(held).not.toContain(`cron:${name}`)
  expect(held).toContain('cron:caducidad')
  expect(await db.read.select().from(jobs)).toEqual([])
  const asked = await host().fetch(request('POST', '/cron/certificados', undefined, CRON))
  expect(await asked.json()).toMatchObject({ tarea: 'certificados', ejecutada: false })
  expect(await db.read.select().from(jobs)).toEqual([])
})

test('the caller’s address comes from the platform’s header alone, and from none where the caller sends one too', async () => {
  const panel = host()
  const guess = (peer: string) =>
    panel.fetch(
      request('GET', '/api/conexion', undefined, { authorization: 'Bearer x', 'x-panel-peer': peer }),
    )
  for (let i = 0; i < 10; i++) expect((await guess(`198.51.100.${i}, 203.0.113.7`)).status).toBe(401)
  expect((await guess('198.51.100.99, 203.0.113.7')).status).toBe(429)
  expect((await guess('not an address')).status).toBe(429)
  expect((await guess('203.0.113.7')).status).toBe(401)
  expect(await db.read.select().from(sessions).where(eq(sessions.address, 'not an address'))).toEqual([])
})

test('guesses at the cron’s secret lock their address out, and the right secret still works from there', async () => {
  const panel = host()
  const run = (secret: string) =>
    panel.fetch(
      request('POST', '/cron/caducidad', undefined, {
        authorization: `Bearer ${secret}`,
        'x-panel-peer': '203.0.113.8',
      }),
    )
  for (let i = 0; i < 10; i++) expect((await run(`guess-${i}`)).status).toBe(401)
  const locked = await run('guess')
  expect(locked.status).toBe(429)
  expect(Number(locked.headers.get('retry-after'))).toBeWithin(55, 61)
  expect((await run('el-secreto-del-reloj')).status).toBe(200)
})

test('all hosts together ask for a site’s certificate no more often an hour than the authority allows', async () => {
  const ask = () => host().fetch(request('POST', '/api/sitios/sin-nodo.es/https'))
  const statuses: number[] = []
  for (let i = 0; i < 5; i++) {
    statuses.push((await ask()).status)
    await db.write(async (tx) => tx.later(tx.update(jobs).set({ state: 'hecha' })))
  }
  expect(statuses).toEqual([202, 202, 202, 202, 429])
  expect(Number((await ask()).headers.get('retry-after'))).toBeWithin(1, 3601)
})

test('a request that is refused unread leaves nothing in the connection', async () => {
  const refused = request('POST', '/api/clientes', { cliente: 'x' }, { authorization: 'Bearer x' })
  expect((await host().fetch(refused)).status).toBe(401)
  expect(refused.bodyUsed).toBe(true)
  // One that never ends is not waited for.
  const endless = new Request('https://panel.test/api/clientes', {
    method: 'POST',
    body: new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(10)) }),
    duplex: 'half',
  } as RequestInit)
  const began = performance.now()
  expect((await host().fetch(endless)).status).toBe(404)
  expect(performance.now() - began).toBeLessThan(3000)
})

test('a caller that hangs up half way leaves no transaction open', async () => {
  // Only the platform knows of it; what it needs is that the work was handed over, before any answer.
  const call = kept()
  database.faults.delayMs = 100
  const answer = host().fetch(request('POST', '/api/clientes', { cliente: 'colgado' }), call)
  expect(call.work).toHaveLength(1)
  database.faults.delayMs = 0
  await Promise.all(call.work)
  expect((await answer).status).toBe(201)
})
