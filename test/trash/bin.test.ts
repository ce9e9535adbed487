import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newCustomer, outcome, ROOMY } from '../api/people.ts'
import { sql } from '../bases/sql.ts'
import { addClient, createBase, startBases, type World } from '../bases/world.ts'
import { killDuring } from '../support/node-world.ts'
import type { Json } from '../support/panel.ts'
import type { SignedIn } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { workEnded } from '../support/work.ts'

setDefaultTimeout(60_000)

let world: World
let ana: SignedIn
let bea: SignedIn

beforeAll(async () => {
  world = await startBases(ROOMY)
  ana = await newCustomer(world.panel, world.token, 'ana')
  bea = await newCustomer(world.panel, world.token, 'bea')
}, 120_000)
afterAll(() => world?.stop())

const as = (bearer: string, method: string, path: string, body?: unknown) =>
  world.panel.api(method, path, { bearer, ...(body === undefined ? {} : { body }) })
const entries = async (query = ''): Promise<Json[]> =>
  (await world.call('GET', `/papelera${query}`)).body.datos
const entryOf = async (nombre: string): Promise<Json> =>
  eventually(
    async () => (await entries()).find((one) => one.nombre === nombre) ?? null,
    `${nombre} in the bin`,
  )
const site = async (cliente: string, domain: string): Promise<string> =>
  (await world.done('POST', '/sitios', { cliente, domain, aliases: [] })).raiz
const page = (root: string, text: string) => writeFileSync(join(root, 'index.html'), text, { mode: 0o644 })

/** A deleted site of this client's, by its entry. */
async function deletedSite(cliente: string, domain: string, text: string): Promise<Json> {
  page(await site(cliente, domain), text)
  await world.done('DELETE', `/sitios/${domain}`)
  return entryOf(domain)
}

/** Restores with this bearer; answers the work's result once it has ended. */
async function restore(bearer: string, id: string, body: unknown = {}): Promise<Json> {
  const answer = await as(bearer, 'POST', `/papelera/${id}/restaurar`, body)
  expect([answer.status, answer.body.codigo]).toEqual([202, undefined])
  const ended = await workEnded((method, path) => as(bearer, method, path), answer.body.tarea.id)
  expect([ended.estado, ended.error]).toEqual(['hecha', null])
  return ended.resultado
}

test('a customer finds the deleted site, gives it back to a new one of its name, and nobody else sees it', async () => {
  const entry = await deletedSite('ana', 'ana-tienda.es', 'de ana')
  const measured = await eventually(async () => {
    const [found] = (await as(ana.bearer, 'GET', '/papelera')).body.datos
    return found?.bytes === null ? null : found
  }, 'the size')
  const day = (at: string) => new Date(at).getTime() / 86_400_000
  expect(measured).toEqual({
    id: entry.id,
    tipo: 'sitio',
    nombre: 'ana-tienda.es',
    cliente: 'ana',
    borrado: entry.borrado,
    caduca: entry.caduca,
    bytes: expect.any(Number),
  })
  expect([day(entry.caduca) - day(entry.borrado), measured.bytes > 0]).toEqual([7, true])

  const path = `/papelera/${entry.id}/restaurar`
  expect((await as(bea.bearer, 'GET', '/papelera')).body.datos).toEqual([])
  for (const body of [{}, { aparte: true }, { sitio: 'bea-sitio.es' }])
    expect(outcome(await as(bea.bearer, 'POST', path, body))).toEqual([404, 'entrada_no_existe'])
  expect(outcome(await as(ana.bearer, 'POST', path, { aparte: true }))).toEqual([403, 'prohibido'])
  expect(outcome(await as(ana.bearer, 'POST', `${path}?simular=si`))).toEqual([409, 'sitio_no_existe'])

  await site('ana', 'ana-tienda.es')
  const plan = await as(ana.bearer, 'POST', `${path}?simular=si`)
  const { id, tipo, nombre, cliente } = entry
  expect([plan.status, plan.body]).toEqual([
    200,
    {
      ...{ id, tipo, nombre, cliente, sitio: 'ana-tienda.es', base: null, aparte: false },
      ...{ ajustes: true, omitidos: [] },
    },
  ])
  expect(await restore(ana.bearer, entry.id)).toEqual({ sitio: 'ana-tienda.es' })
  expect(await world.get('ana-tienda.es', '/')).toBe('de ana')
  expect((await as(ana.bearer, 'GET', '/papelera')).body.datos).toEqual([])
  expect(outcome(await as(ana.bearer, 'POST', path))).toEqual([404, 'entrada_no_existe'])
  const told = (await world.call('GET', '/auditoria?operacion=POST+/papelera/<id>/restaurar')).body.datos
  expect(told.find(({ resultado }: Json) => resultado === 'pedido')).toMatchObject({
    cliente: 'ana',
    objeto: entry.id,
    detalle: { nombre: 'ana-tienda.es', sitio: 'ana-tienda.es' },
  })
  const events = (await world.call('GET', '/eventos?limite=200')).body.datos
  expect(events.map(({ datos }: Json) => datos.operacion)).toContain('papelera.restaurar')
})

test('a deleted site counts for its client’s space until it has left the bin', async () => {
  await newCustomer(world.panel, world.token, 'cleo')
  const used = async () => {
    await world.panel.command('cron', 'uso')
    return (await world.done('GET', '/clientes/cleo/uso')).consumo.disco_bytes.usado
  }
  const entry = await deletedSite('cleo', 'cleo.es', 'x'.repeat(3_000_000))
  expect(await used()).toBeGreaterThan(3_000_000)
  await world.panel.command('papelera', 'purgar', entry.id)
  expect(await used()).toBeLessThan(1_000_000)
})

test('a site that has files gets none of the deleted ones', async () => {
  const entry = await deletedSite('ana', 'ana-llena.es', 'lo de antes')
  page(await site('ana', 'ana-llena.es'), 'lo de ahora')
  const path = `/papelera/${entry.id}/restaurar`
  expect(outcome(await as(ana.bearer, 'POST', path))).toEqual([409, 'sitio_no_vacio'])
  expect(await world.get('ana-llena.es', '/')).toBe('lo de ahora')
  expect((await entryOf('ana-llena.es')).id).toBe(entry.id)
})

test('the dump of a deleted database becomes what one of the same name holds', async () => {
  const { usuario } = await createBase(world, 'ana', 'pedidos')
  const database = 'ana_pedidos'
  const made = await sql(world, usuario, 'create table p (a int); insert into p values (41)', { database })
  expect(made).toMatchObject({ code: 0, error: '' })
  await world.done('DELETE', `/bases/${database}`)
  const entry = await entryOf(database)
  expect([entry.tipo, entry.cliente]).toEqual(['base', 'ana'])
  const path = `/papelera/${entry.id}/restaurar`
  expect(outcome(await as(ana.bearer, 'POST', path))).toEqual([409, 'base_no_existe'])
  await createBase(world, 'ana', 'pedidos')
  expect(await restore(ana.bearer, entry.id)).toEqual({ base: database })
  expect((await sql(world, usuario, 'select a from p', { database })).out.trim()).toBe('41')
  expect((await world.call('GET', `/bases/${database}`)).body.estado).toBe('activa')
  expect((await entries()).map(({ nombre }) => nombre)).not.toContain(database)
})

test('the pages of the list go on where the one before ended, the newest first', async () => {
  for (const one of ['uno', 'dos', 'tres']) await deletedSite('bea', `bea-${one}.es`, one)
  const seen: string[] = []
  let from = ''
  for (let page = 0; page < 3; page++) {
    const { datos, siguiente } = (await as(bea.bearer, 'GET', `/papelera?limite=1${from}`)).body
    seen.push(...datos.map(({ nombre }: Json) => nombre))
    from = `&desde=${encodeURIComponent(siguiente)}`
    expect(siguiente === null).toBe(page === 2)
  }
  expect(seen).toEqual(['bea-tres.es', 'bea-dos.es', 'bea-uno.es'])
  const sought = await entries('?cliente=bea&buscar=DOS')
  expect(sought.map(({ nombre }) => nombre)).toEqual(['bea-dos.es'])
  expect(outcome(await world.call('GET', '/papelera?desde=nada'))).toEqual([400, 'cursor_invalido'])
})

test('only an operator who tells the name again deletes an entry for good', async () => {
  const { id } = await deletedSite('bea', 'bea-fuera.es', 'fuera')
  const path = `/papelera/${id}`
  const right = { confirmar: 'bea-fuera.es' }
  expect(outcome(await as(bea.bearer, 'DELETE', path, right))).toEqual([403, 'prohibido'])
  for (const body of [{}, { confirmar: 'bea-dos.es' }])
    expect(outcome(await as(world.admin.bearer, 'DELETE', path, body))).toEqual([422, 'datos_invalidos'])
  expect((await entryOf('bea-fuera.es')).id).toBe(id)
  const gone = await as(world.admin.bearer, 'DELETE', path, right)
  expect([gone.status, gone.body]).toEqual([200, { id, eliminado: true }])
  expect(outcome(await as(world.admin.bearer, 'DELETE', path, right))).toEqual([404, 'entrada_no_existe'])
})

test('what was a whole client is put into a folder of root’s, for operators alone', async () => {
  const root = await addClient(world, 'cesa')
  const before = await deletedSite('cesa', 'cesa-antes.es', 'de antes')
  page(root, 'de cesa')
  await world.done('DELETE', '/clientes/cesa')
  const entry = await entryOf('cesa')
  expect([entry.tipo, entry.cliente]).toEqual(['cliente', 'cesa'])
  const { ruta } = await restore(world.token, entry.id)
  expect([statSync(ruta).isDirectory(), existsSync(root)]).toEqual([true, false])
  const [found] = [...new Bun.Glob('**/index.html').scanSync(ruta)]
  expect(readFileSync(join(ruta, found ?? ''), 'utf8')).toBe('de cesa')
  // So is what it had deleted before, unless it is said who gets it.
  const sitio = 'bea-hereda.es'
  await site('bea', sitio)
  const plan = await world.call('POST', `/papelera/${before.id}/restaurar?simular=si`, { sitio })
  expect(plan.body).toMatchObject({ sitio, aparte: false })
  const apart = await restore(world.token, before.id)
  expect(readFileSync(join(apart.ruta, 'public/index.html'), 'utf8')).toBe('de antes')
})

test('killed at any of its steps, restoring and deleting for good end once when the panel starts again', async () => {
  const { panel } = world
  const steps = join(panel.dataDir, 'pasos')
  mkdirSync(steps)
  await panel.kill()
  await panel.up({ PANEL_TEST_STEPS: steps })
  for (const when of ['before', 'after']) {
    const domain = `ana-${when}.es`
    const entry = await deletedSite('ana', domain, when)
    await site('ana', domain)
    await killDuring({ panel, steps }, `ana:papelera.restaurar:bin.restore:${when}`, () =>
      world.call('POST', `/papelera/${entry.id}/restaurar`),
    )
    expect(await world.get(domain, '/')).toBe(when)
    expect((await entries()).map(({ nombre }) => nombre)).not.toContain(domain)
  }
  const { id, nombre } = await deletedSite('bea', 'bea-muere.es', 'muere')
  await killDuring({ panel, steps }, ':papelera.purgar:bin.purge:after', () =>
    as(world.admin.bearer, 'DELETE', `/papelera/${id}`, { confirmar: nombre }),
  )
  const { usuario } = await createBase(world, 'ana', 'muere')
  const database = 'ana_muere'
  await sql(world, usuario, "create table t (a text); insert into t values ('vuelve')", { database })
  await world.done('DELETE', `/bases/${database}`)
  const dump = await entryOf(database)
  await createBase(world, 'ana', 'muere')
  // What is loaded twice is there once.
  await killDuring({ panel, steps }, 'ana:papelera.restaurar:bin.forget:before', () =>
    world.call('POST', `/papelera/${dump.id}/restaurar`),
  )
  expect((await sql(world, usuario, 'select a from t', { database })).out.trim()).toBe('vuelve')
  const left = (await entries()).map((one) => one.nombre)
  expect([left.includes(database), left.includes(nombre)]).toEqual([false, false])
  const jobs = (await world.call('GET', '/tareas?limite=200')).body.datos
  expect(jobs.filter(({ tipo, estado }: Json) => tipo.startsWith('papelera.') && estado !== 'hecha')).toEqual(
    [],
  )
}, 240_000)
