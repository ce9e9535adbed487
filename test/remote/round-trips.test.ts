import { afterEach, beforeEach, expect, type Mock, spyOn, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { fullPath } from '../../deploy/docs.ts'
import { createHost, type Host } from '../../deploy/function/host.ts'
import { pureArgon2Passwords } from '../../deploy/function/passwords.ts'
import { remoteClient } from '../../deploy/remote/database.ts'
import { handlers } from '../../handlers/index.ts'
import { createDatabase, type Database } from '../../lib/database.ts'
import { operationOf } from '../../lib/invoke.ts'
import { newKeyLine, parseKeyRing } from '../../lib/keys.ts'
import { createLink, newLinkUrl } from '../../lib/links.ts'
import { migrate } from '../../lib/migrate.ts'
import { totpCode, totpStep } from '../../lib/totp.ts'
import { clients, jobs, mirrors, persons } from '../../schema/tables.ts'
import { loopbackCertificate } from '../support/certificate.ts'
import { startDoh } from '../support/doh.ts'
import { type LibsqlServer, startLibsqlServer } from '../support/libsql-server.ts'
import { type PowerDns, startPowerDns } from '../support/providers/powerdns.ts'
import { startUnbound, type Unbound } from '../support/providers/unbound.ts'
import { random, seedAdmin, seedNode } from '../support/seed.ts'

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
/** Bearer; all that is looked at; the change and what it answers. A key's answer is kept with the commit. */
const PROVISION_TRIPS = 3
const MOST_TRIPS = 4
const PASSWORD = 'una frase larga y rara 7'

let folder: string
/** The provider, and what the resolver asks; the zone is at the latter alone. */
let pdns: PowerDns
let internet: PowerDns
let unbound: Unbound
let doh: Awaited<ReturnType<typeof startDoh>>
let trusted: Mock<typeof fetch>
let server: LibsqlServer
let db: Database
let host: Host
let keyLine: string
let admin: Awaited<ReturnType<typeof seedAdmin>>
/** The most round trips that each operation took. */
let trips: Map<string, number>
let codeSteps: number
/** Whether every change carries an Idempotency-Key of its own. */
let keyed: boolean

beforeEach(async () => {
  trips = new Map()
  codeSteps = 0
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
  const env = {
    PANEL_TEST: '1',
    PANEL_HOST: 'panel.test',
    PANEL_DB_URL: server.url,
    PANEL_DB_TOKEN: server.token,
    PANEL_RESOLVER: doh.url,
  }
  host = createHost({ env: { ...env, PANEL_KEYS: keyLine }, handlers, crons: [] })
  const hash = await pureArgon2Passwords(random).hash(PASSWORD)
  admin = await seedAdmin(db, parseKeyRing(keyLine), hash)
  await seedNode(db, 'nodo1')
  const waiting: Promise<unknown>[] = []
  // A token's last use is written once a minute, beside the request.
  await host.fetch(
    new Request('https://panel.test/api/conexion', { headers: { authorization: `Bearer ${admin.token}` } }),
    { waitUntil: (work) => void waiting.push(work) },
  )
  await Promise.all(waiting)
})

afterEach(async () => {
  trusted.mockRestore()
  await Promise.all([doh.stop(), unbound.stop(), pdns.stop(), internet.stop()])
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

type Options = {
  bearer?: string
  body?: unknown
  raw?: string
  headers?: Record<string, string>
  status?: number
}

/** One request; its round trips are noted under the operation that it reached. */
async function call(method: string, path: string, options: Options = {}) {
  const { body, raw, headers = {}, status = 200 } = options
  const bearer = path.startsWith('/api') ? (options.bearer ?? admin.bearer) : undefined
  const operation = operationAt(method, path)
  const key = keyed && takesKey(operation) ? { 'idempotency-key': `${calls++}` } : {}
  const before = server.roundTrips()
  const response = await host.fetch(
    new Request(`https://panel.test${path}`, {
      method,
      headers: {
        ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...key,
        ...headers,
      },
      ...(body === undefined ? (raw === undefined ? {} : { body: raw }) : { body: JSON.stringify(body) }),
    }),
    { peer: '192.0.2.9' },
  )
  const taken = server.roundTrips() - before
  trips.set(operation, Math.max(taken, trips.get(operation) ?? 0))
  const text = await response.text()
  if (response.status !== status) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  const answer = text === '' || !text.startsWith('{') ? text : JSON.parse(text)
  return { body: answer, headers: response.headers, taken }
}

let calls = 0

/** A change with a bearer, but for those whose answer is never kept. */
function takesKey(operation: string): boolean {
  const handler = handlers.find((one) => operationOf(one) === operation)
  if (!handler || handler.secret) return false
  return handler.method !== 'GET' && fullPath(handler).startsWith('/api/')
}

function operationAt(method: string, path: string): string {
  const parts = (path.split('?')[0] ?? '').split('/')
  const found = handlers.find((handler) => {
    const pattern = fullPath(handler).split('/')
    const fits = pattern.every((part, i) => part.startsWith(':') || part === parts[i])
    return handler.method === method && pattern.length === parts.length && fits
  })
  if (!found) throw new Error(`no handler for ${method} ${path}`)
  return operationOf(found)
}

const as = (bearer: string) => ({ bearer })
/** Each code works once, so the next step's is taken; those of one step ahead are accepted. */
const codeOf = (totp: string) => totpCode(totp, totpStep(new Date()) + codeSteps)

async function linkFor(personId: string): Promise<string> {
  const services = {
    now: () => new Date(),
    random,
    keys: parseKeyRing(keyLine),
    config: { origin: '' } as never,
  }
  const url = await db.write(async (tx) =>
    newLinkUrl(services, createLink(tx, services, personId, 'activar', new Date(Date.now() + 3_600_000))),
  )
  return url.reveal().split('#')[1] ?? ''
}

async function personOf(name: string): Promise<string> {
  const row = await db.read
    .select({ id: persons.id })
    .from(persons)
    .innerJoin(clients, eq(clients.id, persons.clientId))
    .where(eq(clients.name, name))
    .get()
  return row?.id ?? ''
}

test.each([
  ['', false],
  ['with an Idempotency-Key for each change, ', true],
])(
  '%sno operation of the hot path takes more than two round trips, none more than four',
  async (_, keys) => {
    keyed = keys
    await operators()
    await customers()
    await zonesAndMirror()
    await people()
    await endings()
    const most = (operation: string) => (HOT.includes(operation) ? HOT_TRIPS : MOST_TRIPS)
    const over = [...trips].filter(([operation, taken]) => taken > most(operation))
    expect(over).toEqual([])
    const operations = handlers.filter(({ access }) => access.kind !== 'cron').map(operationOf)
    expect(operations.filter((operation) => !trips.has(operation))).toEqual([])
  },
  60_000,
)

async function operators() {
  await call('GET', '/api/conexion')
  await call('POST', '/api/planes', { body: { plan: 'basico', sitios: 10, zonas: 10 }, status: 201 })
  await call('POST', '/api/planes', { body: { plan: 'otro' }, status: 201 })
  await call('GET', '/api/planes')
  await call('GET', '/api/planes/basico')
  await call('PATCH', '/api/planes/basico', { body: { plan: 'normal', aliases: 9 } })
  await call('DELETE', '/api/planes/otro')
  const key = { 'idempotency-key': 'one' }
  const acme = { cliente: 'acme', referencia: 'r:1', plan: 'normal' }
  await call('POST', '/api/clientes', { body: acme, status: 201, headers: key })
  await call('POST', '/api/clientes', { body: acme, status: 201, headers: key })
  await call('POST', '/api/clientes', { body: acme })
  await call('POST', '/api/clientes', { body: { cliente: 'acme' }, status: 409 })
  await call('GET', '/api/clientes')
  await call('GET', '/api/clientes/acme')
  await call('PATCH', '/api/clientes/acme', { body: { nombre: 'Acme', referencia: 'r:2' } })
  await call('POST', '/api/clientes/acme/plan', { body: { plan: 'normal' } })
  await call('POST', '/api/clientes/acme/plan', { body: { plan: 'ninguno' }, status: 409 })
  await call('GET', '/api/clientes/acme/uso')
  await call('GET', '/api/clientes/acme/uso/historial')
  await call('GET', '/api/uso')
  const alta = { correo: 'ana@cliente.es', domain: 'ana.es', aliases: ['www.ana.es'], plan: 'normal' }
  const provisioned = await call('PUT', '/api/altas/w:1', { body: alta, status: 201 })
  const repeated = await call('PUT', '/api/altas/w:1', { body: alta })
  const most = PROVISION_TRIPS + Number(keyed)
  expect([provisioned.taken, repeated.taken]).toEqual([most, most])
  const second = { ...alta, domain: 'eva.es', aliases: [] }
  const again = { 'idempotency-key': 'two' }
  await call('PUT', '/api/altas/w:2', { body: second, status: 201, headers: again })
  await call('PUT', '/api/altas/w:2', { body: second, status: 201, headers: again })
  await call('PUT', '/api/altas/w:2', { body: second })
  const more = { ...second, aliases: ['www.eva.es'], plan: null, nombre: 'Eva' }
  await call('PUT', '/api/altas/w:2', { body: more })
  await call('PUT', '/api/altas/w:4', { body: { ...alta, domain: 'sub.ana.es' }, status: 409 })
  await call('PUT', '/api/altas/w:3?simular=si', { body: { ...alta, domain: 'leo.es', aliases: [] } })
  const site = { cliente: 'acme', domain: 'acme.es', aliases: ['www.acme.es', 'acme.com'] }
  await call('POST', '/api/sitios', { body: site, status: 201 })
  await call('POST', '/api/sitios', { body: site })
  await call('POST', '/api/sitios', { body: { ...site, domain: 'sub.ana.es' }, status: 409 })
  await call('GET', '/api/sitios')
  await call('GET', '/api/sitios/acme.es')
  await call('PATCH', '/api/sitios/acme.es', {
    body: { aliases: ['web.acme.es'], php: '8.2', solo_https: true },
  })
  await call('POST', '/api/sitios/acme.es/https', { status: 202 })
  await call('POST', '/api/clientes/acme/acceso', { body: { correo: 'acme@cliente.es' }, status: 201 })
  await call('GET', '/api/clientes/acme/acceso')
  await call('POST', '/api/clientes/acme/acceso/restablecer', { status: 202 })
  await call('POST', '/api/clientes/acme/suspender', { body: { motivo: 'impago' } })
  await call('POST', '/api/clientes/acme/suspender')
  await call('POST', '/api/clientes/acme/activar')
  await call('GET', '/api/auditoria')
  await call('GET', '/api/tareas')
  const job = await db.read.select().from(jobs).get()
  await call('POST', `/api/tareas/${job?.id}/reintentar`)
  await call('GET', '/api/nodos')
  await call('GET', '/api/nodos/nodo1')
}

async function customers() {
  const enlace = await linkFor(await personOf('acme'))
  await call('POST', '/acceso/enlace', { body: { enlace } })
  const spent = await call('POST', '/acceso/enlace/gastar', { body: { enlace, contrasena: PASSWORD } })
  const totp = spent.body.totp.secreto
  const { paso_token } = spent.body
  const enrolled = await call('POST', '/acceso/segundo-factor/inscribir', {
    body: { paso_token, codigo: await codeOf(totp) },
  })
  const cookie = { cookie: enrolled.headers.get('set-cookie')?.split(';')[0] ?? '' }
  await call('GET', '/api/clientes/acme', as(enrolled.body.sesion))
  await call('POST', '/acceso/renovar', { headers: cookie })
  await call('POST', '/acceso/salir', { headers: cookie })
  const login = { correo: 'acme@cliente.es', contrasena: PASSWORD }
  await call('POST', '/acceso/entrar', {
    body: { ...login, contrasena: 'otra frase larga y rara' },
    status: 401,
  })
  const entered = await call('POST', '/acceso/entrar', { body: login })
  codeSteps = 1
  await call('POST', '/acceso/segundo-factor', {
    body: { paso_token: entered.body.paso_token, codigo: await codeOf(totp) },
  })
  await call('POST', '/acceso/olvido', { body: { correo: 'ana@cliente.es' }, status: 202 })
  await call('POST', '/acceso/olvido', { body: { correo: 'nadie@cliente.es' }, status: 202 })
}

async function zonesAndMirror() {
  await call('POST', '/api/zonas', { body: { cliente: 'acme', zona: 'acme.net' }, status: 201 })
  await call('GET', '/api/zonas')
  await call('GET', '/api/zonas/acme.net')
  await call('GET', '/api/zonas/acme.net/registros')
  await call('PUT', '/api/zonas/acme.net/registros/mail/A', { body: { ttl: 300, valores: ['192.0.2.7'] } })
  await call('DELETE', '/api/zonas/acme.net/registros/mail/A')
  const file = await call('GET', '/api/zonas/acme.net/exportar')
  const zone = { raw: `${file.body}\nftp 300 IN A 192.0.2.8\n`, headers: { 'content-type': 'text/dns' } }
  await call('POST', '/api/zonas/acme.net/importar', zone)
  await call('POST', '/api/zonas/acme.net/dnssec')
  await call('DELETE', '/api/zonas/acme.net/dnssec')
  await call('GET', '/api/dns/proveedor', { status: 404 })
  await call('DELETE', '/api/dns/proveedor', { status: 404 })
  await call('GET', '/api/espejo')
  await call('GET', '/api/zonas/acme.net/espejo', { status: 404 })
  await call('PUT', '/api/zonas/acme.net/espejo', { status: 409 })
  await call('DELETE', '/api/zonas/acme.net/espejo', { status: 404 })
  await call('POST', '/api/zonas/acme.net/espejo/sincronizar', { status: 404 })
  const provider = { tipo: 'powerdns', credencial: 'clave', url: 'http://127.0.0.1:1' }
  await call('PUT', '/api/dns/proveedor', { ...as(admin.bearer), body: provider, status: 502 })
  const account = { ...as(admin.bearer), body: { ...provider, credencial: pdns.key, url: pdns.origin } }
  await call('PUT', '/api/dns/proveedor', account)
  await call('PUT', '/api/dns/proveedor', account)
  await call('GET', '/api/dns/proveedor')
  await call('PUT', '/api/zonas/acme.net/espejo', { status: 201 })
  await call('GET', '/api/espejo')
  await call('GET', '/api/zonas/acme.net/espejo')
  await call('PUT', '/api/zonas/acme.net/espejo')
  await call('POST', '/api/zonas/acme.net/espejo/sincronizar', { status: 202 })
  // As the worker leaves it.
  await db.write(async (tx) => tx.later(tx.update(mirrors).set({ state: 'al_dia', remoteId: 'acme.net.' })))
  await call('PUT', '/api/dns/proveedor', { ...account, status: 409 })
  await call('DELETE', '/api/zonas/acme.net/espejo', { status: 202 })
  await call('DELETE', '/api/dns/proveedor', { status: 202 })
}

async function people() {
  const me = as(admin.bearer)
  const caduca = new Date(Date.now() + 100 * 86_400_000).toISOString().slice(0, 10)
  const made = await call('POST', '/api/tokens', { ...me, body: { nombre: 'uno', caduca }, status: 201 })
  await call('GET', '/api/tokens')
  await call('DELETE', `/api/tokens/${made.body.id}`)
  await call('GET', '/api/yo', me)
  await call('GET', '/api/yo/sesiones', me)
  await call('POST', '/api/yo/codigos-recuperacion', { ...me, body: { contrasena: PASSWORD } })
  const invited = await call('POST', '/api/personas', { ...me, body: { correo: 'b@host.net' }, status: 201 })
  await call('GET', '/api/personas')
  await call('DELETE', `/api/personas/${invited.body.id}/segundo-factor`, {
    ...me,
    body: { contrasena: PASSWORD },
  })
  await call('PATCH', `/api/personas/${invited.body.id}`, { body: { activa: false } })
  await call('PATCH', `/api/personas/${invited.body.id}`, { body: { activa: true } })
  const opened = await call('POST', '/api/clientes/acme/suplantar', {
    ...me,
    body: { motivo: 'ayuda' },
    status: 201,
  })
  await call('GET', '/api/clientes/acme', as(opened.body.sesion))
  await call('PUT', '/api/clientes/acme/correo', {
    ...me,
    body: { correo: 'x@cliente.es', contrasena: PASSWORD },
  })
  await call('DELETE', '/api/clientes/acme/acceso/segundo-factor', { ...me, body: { contrasena: PASSWORD } })
  const factor = await call('POST', '/api/yo/segundo-factor', { ...me, body: { contrasena: PASSWORD } })
  codeSteps = 0
  const { paso_token, totp } = factor.body
  const codigo = await codeOf(totp.secreto)
  await call('POST', '/api/yo/segundo-factor/confirmar', { ...me, body: { paso_token, codigo } })
  admin = { ...admin, ...(await seedAdmin(db, parseKeyRing(keyLine), '', 'c@host.net')) }
  await call('PUT', '/api/yo/contrasena', { ...me, body: { actual: PASSWORD, nueva: `${PASSWORD} y otra` } })
  const sessions = await call('GET', '/api/yo/sesiones', me)
  await call('DELETE', `/api/yo/sesiones/${sessions.body.datos[0].id}`, me)
}

async function endings() {
  await call('DELETE', '/api/zonas/acme.net', { status: 202 })
  await call('DELETE', '/api/sitios/acme.es', { status: 202 })
  await call('DELETE', '/api/clientes/acme', { status: 202 })
  await call('GET', '/api/clientes/nadie', { status: 404 })
  await call('POST', '/api/clientes/nadie/suspender', { status: 404 })
}
