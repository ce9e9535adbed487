import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { embeddedClient } from '../../deploy/database/embedded/database.ts'
import { fullPath } from '../../deploy/http/docs.ts'
import { createApp } from '../../deploy/http/router.ts'
import { argon2Passwords } from '../../deploy/node/host/passwords.ts'
import { absentServices } from '../../deploy/node/services/absent.ts'
import { handlers } from '../../handlers/index.ts'
import type { Services } from '../../lib/endpoint/context.ts'
import type { Handler } from '../../lib/endpoint/handler.ts'
import { newKeyLine, parseKeyRing } from '../../lib/secrets/keys.ts'
import { memoryLimits } from '../../lib/store/counters.ts'
import { createDatabase, type Database } from '../../lib/store/database.ts'
import { migrate } from '../../lib/store/migrate.ts'
import { clients, persons, tokens } from '../../schema/tables.ts'
import { BODIES } from '../support/bodies.ts'
import { random, seedAdmin, seedNode } from '../support/seed.ts'

const PASSWORD = 'una frase larga y rara 7'
const keys = parseKeyRing(newKeyLine(random))

let folder: string
let db: Database
let app: ReturnType<typeof createApp>
let hash: string
let root: Awaited<ReturnType<typeof seedAdmin>>
/** Done between the look at the next change's bearer and its transaction. */
let between: (() => Promise<unknown>) | null = null
let people = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'standing-'))
  const client = embeddedClient(join(folder, 'panel.db'))
  await migrate(client, new Date(), async () => {})
  db = createDatabase(client)
  const raced: Database = {
    ...db,
    async write(run, refused) {
      const first = between
      between = null
      await first?.()
      return db.write(run, refused)
    },
  }
  app = createApp({
    services: servicesOn(raced),
    handlers,
    assets: { files: new Map(), index: '' },
    trustedProxies: [],
    aot: true,
  })
  hash = await argon2Passwords().hash(PASSWORD)
  await seedNode(db, 'nodo1')
  root = await seedAdmin(db, keys, hash, 'root@host.net')
})
afterAll(async () => {
  db.close()
  await rm(folder, { recursive: true })
})

function servicesOn(own: Database): Services {
  const limits = {
    requestsPerMinute: 1e6,
    writesPerMinute: 1e6,
    customerWritesPerDay: 1e6,
    accessPerMinute: 1e6,
    strikesPerMinute: 1e6,
  }
  return {
    db: own,
    now: () => new Date(),
    random,
    held: new Set(),
    passwords: argon2Passwords(),
    keys,
    config: {
      version: '0',
      origin: 'https://panel.test',
      host: 'panel.test',
      node: 'nodo1',
      addresses: ['192.0.2.1'],
      nameServers: ['ns1.panel.test'],
      mailFrom: 'panel@panel.test',
      mailConfigured: true,
      cronSecret: null,
      metricsToken: null,
      trashDays: 7,
      addressDays: null,
      updatesUrl: null,
      webhookAddresses: [],
      limits,
      test: true,
    },
    log() {},
    limits: memoryLimits(),
    mailer: null,
    resolvers: [],
    driver: absentServices(),
    work: { wake() {}, settle: async () => null, runDue: async () => 0 },
    fetch: Object.assign(() => Promise.reject(new Error('no network')), globalThis.fetch),
  }
}

type Caller = Awaited<ReturnType<typeof seedAdmin>>
const another = (): Promise<Caller> => seedAdmin(db, keys, hash, `admin${++people}@host.net`)

const NAMES: Record<string, string> = {
  ruta: '%2Fprivado',
  nombre: 'www',
  tipo: 'A',
  clase: 'prueba',
  id: 'tok_x',
  referencia: 'ref:1',
  domain: 'nadie.es',
  copia: 'cop_0',
  zona: 'nadie.es',
  entrega: '1',
}
async function call(method: string, path: string, bearer: string, body?: unknown) {
  const response = await app.fetch(
    new Request(`https://panel.test${path}`, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
    { address: '192.0.2.9', port: null },
  )
  const text = await response.text()
  return { status: response.status, codigo: text.startsWith('{') ? JSON.parse(text).codigo : undefined }
}

const named = ({ method, path }: Handler) => `${method} ${path}`
/** All changes that take a bearer of this kind and a body in JSON, or none. */
const changes = (who: 'token' | 'admin') =>
  handlers.filter(
    ({ access, method, consumes }) =>
      access.kind === 'bearer' && access[who] && method !== 'GET' && !consumes,
  )
/** Ends the caller while its change waits for its transaction. */
async function race(handler: Handler, bearer: string, end: () => Promise<unknown>) {
  between = end
  const path = fullPath(handler).replace(/:(\w+)/g, (_, name: string) => NAMES[name] ?? 'nadie')
  const answer = await call(handler.method, path, bearer, BODIES[named(handler)])
  return [answer.status, answer.codigo]
}
/** What is refused before its transaction, since this world holds nothing of it. */
const BEFORE: Record<string, unknown[]> = {
  'PUT /copias/destino': [409, 'copias_no_disponibles'],
  'PUT /dns/proveedor': [502, 'proveedor_fallo'],
  'PUT /zonas/:zona/espejo': [404, 'zona_no_existe'],
  'DELETE /sitios/:domain/archivos/contenido': [422, 'datos_invalidos'],
  'POST /sitios/:domain/htaccess': [404, 'sitio_no_existe'],
  'POST /sitios/:domain/subidas': [412, 'version_distinta'],
  'DELETE /sitios/:domain/subidas/:id': [422, 'datos_invalidos'],
  'POST /avisos/:id/probar': [404, 'aviso_no_existe'],
  'POST /bases/:base/sesion': [404, 'base_no_existe'],
  'POST /sitios/:domain/aplicacion/sesion': [404, 'sitio_no_existe'],
}

describe('of a caller that is revoked between the look at its bearer and the transaction', () => {
  test('no change by an admin is made', async () => {
    for (const handler of changes('admin')) {
      const admin = await another()
      const disable = () => call('PATCH', `/api/personas/${admin.id}`, root.bearer, { activa: false })
      const outcome = await race(handler, admin.bearer, disable)
      const expected = BEFORE[named(handler)] ?? [401, 'sesion_terminada']
      expect([named(handler), outcome]).toEqual([named(handler), expected])
    }
    expect((await db.read.select().from(tokens)).filter(({ name }) => name === 'intruso')).toEqual([])
    expect(
      (await db.read.select().from(persons)).filter(({ email }) => email?.startsWith('intruso')),
    ).toEqual([])
  })

  test('no change by a token is made', async () => {
    for (const handler of changes('token')) {
      const admin = await another()
      // Its use is noted by a write of its own.
      await call('GET', '/api/conexion', admin.token)
      const id = (await db.read.select().from(tokens)).find(({ creatorId }) => creatorId === admin.id)?.id
      const revoke = () => call('DELETE', `/api/tokens/${id}`, root.bearer)
      const outcome = await race(handler, admin.token, revoke)
      const expected = BEFORE[named(handler)] ?? [401, 'token_revocado']
      expect([named(handler), outcome]).toEqual([named(handler), expected])
    }
    expect(await db.read.select().from(clients)).toEqual([])
  })

  test('no change by a customer is made whose client was suspended', async () => {
    await call('POST', '/api/clientes', root.bearer, { cliente: 'ana' })
    const ana = await another()
    const client = await db.read.select({ id: clients.id }).from(clients).get()
    await db.write(async (tx) =>
      tx.later(
        tx
          .update(persons)
          .set({ role: 'client', clientId: client?.id ?? 0 })
          .where(eq(persons.id, ana.id)),
      ),
    )
    const suspend = () => call('POST', '/api/clientes/ana/suspender', root.bearer)
    for (const operation of ['POST /yo/segundo-factor', 'POST /sitios', 'PUT /clientes/:cliente/correo']) {
      const handler = handlers.find((one) => named(one) === operation)
      if (!handler) throw new Error(operation)
      expect([operation, ...(await race(handler, ana.bearer, suspend))]).toEqual([
        operation,
        409,
        'cliente_suspendido',
      ])
      await call('POST', '/api/clientes/ana/activar', root.bearer)
    }
  })
})
