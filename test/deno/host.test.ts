import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { buildFunction } from '../../deploy/function/build.ts'
import { newKeyLine } from '../../lib/secrets/keys.ts'
import { clients, leases } from '../../schema/tables.ts'
import { DenoHost } from '../support/deno-host.ts'
import { PASSWORD, type SharedDatabase, startSharedDatabase } from '../support/function-panel.ts'
import type { Json } from '../support/panel.ts'
import { random } from '../support/seed.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(60_000)

/** What is before Deno and speaks TLS, as the README has it. */
const PROXY = '127.0.0.1'

let shared: SharedDatabase
let host: DenoHost
let startedAt: number

beforeAll(async () => {
  shared = await startSharedDatabase()
  startedAt = Date.now()
  host = await start()
})
afterAll(async () => {
  await host.stop()
  await shared.stop()
})

const start = () =>
  DenoHost.start({
    database: shared.database,
    keys: shared.keyLine,
    env: { PANEL_TRUSTED_PROXIES: PROXY },
  })

function create(cliente: string, on = host): Promise<Response> {
  return on.fetch('/api/clientes', {
    method: 'POST',
    headers: { authorization: `Bearer ${shared.admin.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ cliente }),
  })
}

test('the folder that the build makes starts as the README says, and serves the documents without a database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deno-build-'))
  await buildFunction(folder)
  const built = await DenoHost.serve(folder, {
    PANEL_HOST: 'panel.example.org',
    PANEL_DB_URL: 'libsql://127.0.0.1:1',
    PANEL_KEYS: newKeyLine(random),
  })
  const document = (await (await built.fetch('/openapi.json')).json()) as { servers: { url: string }[] }
  expect(document.servers[0]?.url).toBe('https://panel.example.org')
  const styles = await built.fetch('/docs/swagger-ui.css')
  expect([styles.status, styles.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
  const page = await built.fetch('/panel')
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect((await built.fetch('/..%2fpanel.deno.js')).status).toBe(404)
  expect((await built.fetch('/salud')).status).toBe(503)
  await built.stop()
  await rm(folder, { recursive: true, force: true })
})

test('a wrong binding is one clear line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deno-wrong-'))
  await buildFunction(folder)
  await expect(DenoHost.serve(folder, { PANEL_HOST: 'panel.example.org' })).rejects.toThrow(
    'PANEL_DB_URL must be libsql://',
  )
  await rm(folder, { recursive: true, force: true })
})

test('a person signs in with a password that a node has hashed', async () => {
  const answer = await host.fetch('/acceso/entrar', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ correo: shared.admin.email, contrasena: PASSWORD }),
  })
  expect([answer.status, await answer.json()]).toMatchObject([200, { paso: 'segundo_factor' }])
})

test('the caller’s address is the connection’s, or what the proxy before it tells', async () => {
  const guess = (headers: Record<string, string>) =>
    host.fetch('/api/conexion', { headers: { authorization: 'Bearer x', ...headers } })
  const from = (address: string) => guess({ 'x-forwarded-for': `192.0.2.1, ${address}` })
  for (let i = 0; i < 10; i++) expect((await from('203.0.113.7')).status).toBe(401)
  expect((await from('203.0.113.7')).status).toBe(429)
  expect((await from('203.0.113.8')).status).toBe(401)
  expect((await guess({})).status).toBe(401)
})

test('a database that is cut off is 503, and nothing is lost when it is back', async () => {
  expect((await create('antes')).status).toBe(201)
  shared.database.cut()
  const answer = await create('durante')
  expect([answer.status, ((await answer.json()) as Json).codigo]).toEqual([503, 'no_disponible'])
  shared.database.restore()
  await eventually(async () => (await create('durante')).status === 201, 'the database')
  const all = await shared.db.read.select().from(clients)
  expect(all.map(({ name }) => name).sort()).toEqual(['antes', 'durante'])
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  'ended by %s it first answers what it was asked',
  async (signal) => {
    const ending = await start()
    const cliente = `ultimo-${signal.toLowerCase()}`
    shared.database.faults.delayMs = 200
    const asked = create(cliente, ending)
    await eventually(async () => shared.database.openStreams() > 0, 'the transaction')
    const began = performance.now()
    const ended = ending.stop(signal)
    expect((await asked).status).toBe(201)
    expect(await ended).toBe(0)
    // Left to itself, Deno waits for its schedule's next minute.
    expect(performance.now() - began).toBeLessThan(11_000)
    shared.database.faults.delayMs = 0
    expect(await shared.db.read.select().from(clients).where(eq(clients.name, cliente))).toHaveLength(1)
  },
)

test('the schedule is Deno’s own, and runs what is due each minute', async () => {
  const ran = async () => {
    const held = await shared.db.read.select().from(leases)
    return held.some(({ name }) => name === 'cron:caducidad')
  }
  // The first whole minute after the start, and some seconds for the work.
  await eventually(ran, 'the schedule', 75_000 - (Date.now() - startedAt))
}, 90_000)
