import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { remoteClient } from '../../deploy/database/remote/database.ts'
import { newKeyLine } from '../../lib/secrets/keys.ts'
import { createDatabase, type Database } from '../../lib/store/database.ts'
import { clients, mirrors } from '../../schema/tables.ts'
import { loopbackCertificate, trusting } from '../support/certificate.ts'
import { startDoh } from '../support/doh.ts'
import { FunctionHost } from '../support/function-host.ts'
import { type LibsqlServer, startLibsqlServer } from '../support/libsql-server.ts'
import { type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { type PowerDns, startPowerDns } from '../support/providers/powerdns.ts'
import { startUnbound, type Unbound } from '../support/providers/unbound.ts'
import { random } from '../support/seed.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(60_000)

const SECRET = 'el-secreto-del-reloj'
/** What the zones' names must resolve to: the address that both nodes give out. */
const OURS = '192.0.2.10'
const ZONES = ['uno.es', 'dos.es', 'tres.es']
const LOST_ZONE = 'perdida.es'

let folder: string
let database: LibsqlServer
let db: Database
let internet: PowerDns
let provider: PowerDns
let unbound: Unbound
let doh: Awaited<ReturnType<typeof startDoh>>
let nodo1: Panel
let nodo2: Panel
let host: FunctionHost
let admin: SignedIn
let token: string
let shared: { PANEL_RESOLVER: string } & Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'several-'))
  const { ca, caPath, cert, key } = await loopbackCertificate()
  database = await startLibsqlServer({ path: join(folder, 'shared.db'), tls: { cert, key } })
  internet = await startPowerDns()
  provider = await startPowerDns()
  unbound = await startUnbound(
    Object.fromEntries([...ZONES, LOST_ZONE].map((zone) => [zone, internet.dnsPort])),
  )
  doh = await startDoh(unbound.port)
  const keys = newKeyLine(random)
  const clock = join(folder, 'clock')
  shared = {
    PANEL_DB_URL: database.url,
    PANEL_DB_TOKEN: database.token,
    NODE_EXTRA_CA_CERTS: caPath,
    PANEL_KEYS: keys,
    PANEL_TEST_CLOCK: clock,
    PANEL_CRON_SECRET: SECRET,
    PANEL_IPS: OURS,
    PANEL_RESOLVER: doh.url,
  }
  nodo1 = await Panel.start({ env: { ...shared, PANEL_NODE: 'nodo1' } })
  admin = await firstAdmin(nodo1)
  nodo2 = await Panel.start({ env: { ...shared, PANEL_NODE: 'nodo2', PANEL_HOST: 'nodo2.panel.test' } })
  const clockUrl = serveFile(clock)
  const env = { PANEL_RESOLVER: shared.PANEL_RESOLVER, PANEL_CRON_SECRET: SECRET, PANEL_TEST_CLOCK: clockUrl }
  host = await FunctionHost.start({ database, keys, env })
  token = await newToken(nodo1, admin)
  const client = remoteClient({ url: database.url, token: database.token, fetch: trusting(ca) })
  db = createDatabase(client)
})

afterAll(async () => {
  await host.stop()
  await nodo2.stop()
  await nodo1.stop()
  await doh.stop()
  await unbound.stop()
  await provider.stop()
  await internet.stop()
  await database.stop()
  await rm(folder, { recursive: true, force: true })
})

/** One request to the function host. */
async function front(method: string, path: string, body?: unknown, bearer = token) {
  const response = await host.fetch(`/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Json }
}

const stateAt = async (panel: Panel, domain: string) =>
  (await panel.api('GET', `/sitios/${domain}`, { bearer: token })).body.estado

test('provisioning through the function host ends in a site and a name served by the node, seen by all', async () => {
  const alta = { cliente: 'lejano', correo: 'a@lejano.es', domain: 'lejano.es' }
  const unsaid = await front('PUT', '/altas/r:1', alta)
  expect([unsaid.status, unsaid.body.codigo]).toEqual([409, 'nodo_no_existe'])
  const made = await front('PUT', '/altas/r:1?nodo=nodo2', alta)
  expect(made.status).toBe(201)
  expect(made.body.cliente.nodo).toBe('nodo2')
  expect(made.body.sitio.estado).toBe('preparando')
  await eventually(async () => (await stateAt(nodo1, 'lejano.es')) === 'activo', 'the site')
  expect((await front('GET', '/sitios/lejano.es')).body.estado).toBe('activo')
  expect(await served(nodo2, 'lejano.es')).toBe(200)
  expect(await served(nodo1, 'lejano.es')).toBe(404)
  await eventually(async () => (await front('GET', '/zonas/lejano.es')).body.publicada, 'the zone')
  expect(await answered(nodo2, 'lejano.es')).toBe(OURS)
  expect(await answered(nodo1, 'lejano.es')).toBe('')
  expect((await mailed('a@lejano.es')).link).not.toBeNull()
})

test('at the wrong node an operation answers 409 and names the right one', async () => {
  const wrong = await nodo1.api('POST', '/clientes/lejano/suspender', { bearer: token })
  expect(wrong.status).toBe(409)
  expect(wrong.body).toMatchObject({ codigo: 'cliente_en_otro_nodo', nodo: 'nodo2' })
  expect((await front('POST', '/clientes/lejano/suspender')).body.estado).toBe('suspendido')
  await eventually(async () => (await served(nodo2, 'lejano.es')) === 503, 'the suspension')
  await front('POST', '/clientes/lejano/activar')
  await eventually(async () => (await served(nodo2, 'lejano.es')) === 200, 'the activation')
})

test('a node that is away gets its work when it is back', async () => {
  await nodo2.kill()
  const made = await front('POST', '/sitios', { cliente: 'lejano', domain: 'esperado.es' })
  expect(made.status).toBe(201)
  const jobs = await front('GET', '/tareas?cliente=lejano&estado=pendiente')
  expect(jobs.body.datos.map(({ objeto }: Json) => objeto)).toContain('esperado.es')
  expect(await served(nodo1, 'esperado.es')).toBe(404)
  await nodo2.up()
  await eventually(async () => (await served(nodo2, 'esperado.es')) === 200, 'the site that waited')
})

test("a client's mail is its own node's, with that node's address in its link, whichever host was asked", async () => {
  await front('POST', '/clientes', { cliente: 'cartas', nodo: 'nodo2' })
  await nodo2.kill()
  expect((await front('POST', '/clientes/cartas/acceso', { correo: 'a@cartas.es' })).status).toBe(201)
  const other = await nodo1.fetch('/cron/correo', {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}` },
  })
  expect(other.status).toBe(200)
  expect((await nodo1.mails()).map(({ to }) => to)).not.toContain('a@cartas.es')
  expect((await front('GET', '/clientes/cartas/acceso')).body.enlace.estado).toBe('en_cola')
  await nodo2.up()
  const mail = await mailed('a@cartas.es')
  expect(mail.text).toContain(`https://nodo2.panel.test:${nodo2.port}/enlace#`)
  expect((await nodo1.mails()).map(({ to }) => to)).not.toContain('a@cartas.es')
  // What concerns no client is anybody's.
  await nodo1.api('POST', '/personas', { bearer: admin.bearer, body: { correo: 'otra@host.es' } })
  expect((await mailed('otra@host.es')).link).not.toBeNull()
})

test('the row of a client does not move to another node while anything of it is on the old one', async () => {
  const move = (name: string) =>
    db.write(async (tx) => tx.later(tx.update(clients).set({ node: 'nodo1' }).where(eq(clients.name, name))))
  await expect(move('lejano')).rejects.toThrow('the client has data on its node')
  expect((await front('GET', '/clientes/lejano')).body.nodo).toBe('nodo2')
  await front('POST', '/clientes', { cliente: 'vacio', nodo: 'nodo2' })
  await move('vacio')
  expect((await front('GET', '/clientes/vacio')).body.nodo).toBe('nodo1')
})

test('the mirror triggered from three hosts at once takes one slot, the check runs once', async () => {
  await front('POST', '/clientes', { cliente: 'espejado', nodo: 'nodo1' })
  const account = { tipo: 'powerdns', credencial: provider.key, url: provider.origin }
  expect((await front('PUT', '/dns/proveedor?nodo=nodo1', account, admin.bearer)).status).toBe(200)
  for (const zona of ZONES) {
    await pointHere(zona)
    expect((await front('POST', '/zonas', { cliente: 'espejado', zona })).status).toBe(201)
    expect((await front('PUT', `/zonas/${zona}/espejo`)).status).toBe(201)
  }
  const synced = () => db.read.select().from(mirrors).where(eq(mirrors.state, 'al_dia'))
  await eventually(async () => (await synced()).length === 1, 'the first zone')
  await atOnce('espejo')
  expect(await synced()).toHaveLength(1)
  for (const done of [2, 3]) {
    await writeFile(join(folder, 'clock'), String((done - 1) * 61))
    await Promise.all([atOnce('espejo'), atOnce('espejo')])
    await eventually(async () => (await synced()).length >= done, `zone ${done}`)
    await atOnce('espejo')
    expect(await synced()).toHaveLength(done)
  }
  // Slow round trips keep the first run busy until all have asked.
  database.faults.delayMs = 60
  const runs = await atOnce('recheck')
  database.faults.delayMs = 0
  expect(runs.filter(({ ejecutada }) => ejecutada)).toHaveLength(1)
  expect(runs.find(({ ejecutada }) => ejecutada)?.resultado.zonas).toBe(ZONES.length)
})

describe('a node that is gone', () => {
  const giveUp = (query: string, body: unknown) => front('DELETE', `/nodos/nodo2${query}`, body)
  const held = async () => (await provider.api('GET', `/zones/${LOST_ZONE}.`)).status

  test('is not given up while it beats, nor by another name, nor one that there is not', async () => {
    expect((await giveUp('', { confirmar: 'nodo2' })).body).toMatchObject({
      codigo: 'nodo_presente',
      nodo: 'nodo2',
    })
    expect((await giveUp('?simular=si', {})).body.codigo).toBe('nodo_presente')
    expect((await giveUp('', { confirmar: 'nodo1' })).body.campos[0].campo).toBe('confirmar')
    expect((await giveUp('', {})).status).toBe(422)
    expect((await front('DELETE', '/nodos/nodo9', { confirmar: 'nodo9' })).body.codigo).toBe('nodo_no_existe')
  })

  test('is absent after three beats, is told of with what waits for it, and gets nothing new', async () => {
    const account = { tipo: 'powerdns', credencial: provider.key, url: provider.origin }
    expect((await front('PUT', '/dns/proveedor?nodo=nodo2', account, admin.bearer)).status).toBe(200)
    await pointHere(LOST_ZONE)
    expect((await front('POST', '/zonas', { cliente: 'lejano', zona: LOST_ZONE })).status).toBe(201)
    expect((await front('PUT', `/zonas/${LOST_ZONE}/espejo`)).status).toBe(201)
    await eventually(async () => {
      await atOnce('espejo')
      return (await held()) === 200
    }, 'the copy')
    await nodo2.kill()
    expect((await front('POST', '/sitios', { cliente: 'lejano', domain: 'pendiente.es' })).status).toBe(201)
    await writeFile(join(folder, 'clock'), '1000')
    const told = async () => (await front('GET', '/nodos/nodo2')).body
    await eventually(async () => (await told()).estado === 'ausente', 'the absence')
    await eventually(
      async () => (await front('GET', '/nodos/nodo1')).body.estado !== 'ausente',
      'the beat of the other',
    )
    expect((await told()).pendientes.tareas).toBeGreaterThan(0)
    const refused = [
      await front('POST', '/clientes', { cliente: 'nuevo', nodo: 'nodo2' }),
      await front('POST', '/sitios', { cliente: 'lejano', domain: 'tarde.es' }),
      await front('PUT', '/altas/r:9?nodo=nodo2', { correo: 'a@tarde.es', domain: 'tarde.es' }),
      await front('PUT', '/altas/r:1', { cliente: 'lejano', correo: 'a@lejano.es', domain: 'otro.es' }),
    ]
    expect(refused.map(({ status, body }) => [status, body.codigo, body.nodo])).toEqual(
      refused.map(() => [409, 'nodo_ausente', 'nodo2']),
    )
    const { lines } = await nodo1.command('doctor')
    const check = lines[0].find(({ comprobacion }: Json) => comprobacion === 'nodo nodo2')
    expect([check.bien, check.consejo]).toEqual([false, expect.stringContaining('jobs')])
  })

  test('given up, lists what lived there first, then lets it all go; the copies are removed at the provider', async () => {
    const lists = {
      nodo: 'nodo2',
      clientes: ['cartas', 'lejano'],
      sitios: ['esperado.es', 'lejano.es', 'pendiente.es'],
      zonas: ['esperado.es', 'lejano.es', 'pendiente.es', LOST_ZONE],
      espejos: [{ zona: LOST_ZONE, proveedor: 'powerdns', copia: 'se_retira' }],
    }
    expect(await giveUp('?simular=si', {})).toEqual({ status: 200, body: lists })
    expect((await front('GET', '/clientes/lejano')).status).toBe(200)
    expect(await giveUp('', { confirmar: 'nodo2' })).toEqual({ status: 200, body: lists })
    expect((await giveUp('', { confirmar: 'nodo2' })).body.codigo).toBe('nodo_no_existe')
    for (const path of ['/clientes/lejano', '/sitios/lejano.es', '/zonas/lejano.es', '/nodos/nodo2']) {
      expect([path, (await front('GET', path)).status]).toEqual([path, 404])
    }
    const { body: jobs } = await front('GET', '/tareas?estado=pendiente&limite=200')
    expect(jobs.datos.filter(({ nodo }: Json) => nodo === 'nodo2')).toEqual([])
    const { body: trail } = await front('GET', '/auditoria?cliente=lejano&operacion=cliente.liberado')
    expect(trail.datos).toEqual([expect.objectContaining({ objeto: 'nodo2' })])
    const again = { cliente: 'lejano', correo: 'a@lejano.es', domain: 'lejano.es' }
    expect((await nodo1.api('PUT', '/altas/r:1', { bearer: token, body: again })).status).toBe(201)
    expect(await served(nodo1, 'lejano.es')).toBe(200)
    await eventually(async () => {
      await atOnce('espejo')
      return (await held()) !== 200
    }, 'the end of the copy')
  })

  test('that comes back serves nothing, says why in one line, and brings back no row', async () => {
    // Its web server outlived the panel.
    expect(await served(nodo2, 'lejano.es')).toBe(200)
    const { status, error } = await nodo2.command('start')
    expect(status).toBe(2)
    expect(error.trimEnd().split('\n')).toEqual([expect.stringContaining('node nodo2 was given up on')])
    await eventually(async () => (await served(nodo2, 'lejano.es').catch(() => 0)) === 0, 'its web server')
    expect((await front('GET', '/nodos')).body.datos.map(({ nodo }: Json) => nodo)).toEqual(['nodo1'])
  })

  test('that was only cut off learns at its next heartbeat that it was given up, and ends with its services', async () => {
    const cut = await Panel.start({ env: { ...shared, PANEL_NODE: 'nodo3' } })
    await cut.api('POST', '/clientes', { bearer: token, body: { cliente: 'cortado' } })
    await cut.api('POST', '/sitios', { bearer: token, body: { cliente: 'cortado', domain: 'cortado.es' } })
    expect(await served(cut, 'cortado.es')).toBe(200)
    process.kill(cut.pid, 'SIGSTOP')
    await writeFile(join(folder, 'clock'), '3000')
    await eventually(
      async () => (await front('GET', '/nodos/nodo3')).body.estado === 'ausente',
      'the absence',
    )
    expect((await front('DELETE', '/nodos/nodo3', { confirmar: 'nodo3' })).status).toBe(200)
    process.kill(cut.pid, 'SIGCONT')
    await eventually(async () => (await served(cut, 'cortado.es').catch(() => 0)) === 0, 'its web server')
    await eventually(async () => cut.log.includes('node nodo3 was given up on'), 'the line')
    expect((await front('GET', '/nodos')).body.datos.map(({ nodo }: Json) => nodo)).toEqual(['nodo1'])
    await cut.stop()
  })
})

/** POST /cron/<name> at every host at the same time. */
async function atOnce(name: string): Promise<Json[]> {
  const init = { method: 'POST', headers: { authorization: `Bearer ${SECRET}` } }
  const asked = [nodo1, nodo2, host].map((one) => one.fetch(`/cron/${name}`, init))
  const answers = (await Promise.allSettled(asked)).flatMap((one) =>
    one.status === 'fulfilled' ? [one.value] : [],
  )
  return Promise.all(answers.map((answer) => answer.json()))
}

/** Makes the public DNS say that a zone leads to this service. */
async function pointHere(zone: string): Promise<void> {
  await internet.api('POST', '/zones', { name: `${zone}.`, kind: 'Native', nameservers: ['ns1.panel.test.'] })
  const records = [{ content: OURS, disabled: false }]
  const rrsets = [{ name: `${zone}.`, type: 'A', ttl: 60, changetype: 'REPLACE', records }]
  await internet.api('PATCH', `/zones/${zone}.`, { rrsets })
}

/** The status with which a node's web server answers for a name. */
async function served(node: Panel, domain: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${node.httpPort}/`, { headers: { host: domain } })
  await response.arrayBuffer()
  return response.status
}

/** What a node's own DNS server answers for a name. */
async function answered(node: Panel, name: string): Promise<string> {
  const argv = ['dig', '@127.0.0.1', '-p', String(node.dnsPort), '+short', '+time=2', '+tries=1', name, 'A']
  return (await new Response(Bun.spawn(argv, { stderr: 'ignore' }).stdout).text()).trim()
}

/** A mail that any of the nodes has sent. */
const mailed = (to: string) =>
  eventually(async () => {
    const all = [...(await nodo1.mails()), ...(await nodo2.mails())]
    return all.find((mail) => mail.to === to) ?? null
  }, `mail to ${to}`)

function serveFile(path: string): string {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async () =>
      new Response(
        await Bun.file(path)
          .text()
          .catch(() => '0'),
      ),
  })
  server.unref()
  return `http://127.0.0.1:${server.port}`
}
