import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command, createBase } from '../bases/world.ts'
import type { Json } from '../support/panel.ts'
import { enrol } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { type CopiesWorld, PASSWORD, startCopies } from './world.ts'

let world: CopiesWorld

beforeAll(async () => {
  world = await startCopies()
  const { status } = await world.putDestination({ tipo: 'carpeta', url: world.store, contrasena: PASSWORD })
  expect(status).toBe(200)
}, 240_000)
afterAll(() => world?.stop())

/** Ana herself, once she has signed in. */
let ana: string

/** Has 19 of what is counted for Ana today. */
function countNineteen(nameOf: (client: number) => string): void {
  using database = new Database(join(world.panel.dataDir, 'panel.db'))
  const row = database.query<{ id: number }, []>("select id from clients where name = 'ana'").get()
  database.run(
    'insert into counters (name, "window", count) values (?, ?, 19) on conflict do update set count = 19',
    [nameOf(row?.id ?? 0), Math.floor(Date.now() / 1000)],
  )
}

test('a customer is kept from asking too often', async () => {
  await world.done('POST', '/clientes/ana/acceso', { correo: 'ana@cliente.es' })
  const { link } = await world.panel.mailTo('ana@cliente.es')
  ana = (await enrol(world.panel, link ?? '', 'ana@cliente.es')).bearer
  const copia = await world.copied()
  countNineteen(() => 'copias:ana')
  const restore = () => {
    const body = { sitio: 'ana.es', ruta: '/public/index.html', modo: 'aparte' }
    return world.panel.api('POST', `/clientes/ana/copias/${copia}/restaurar`, { bearer: ana, body })
  }
  const first = await restore()
  expect(first.status).toBe(202)
  await world.ended(first.body.tarea.id)
  const refused = await restore()
  expect([refused.status, refused.body.codigo]).toEqual([429, 'espera'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3600)
  // What its operator asks for is neither refused nor counted.
  expect(await world.copied()).toStartWith('cop_')
}, 240_000)

describe('what is deleted', () => {
  const gone = async (path: string) => {
    await world.done('DELETE', path)
    await eventually(async () => (await world.call('GET', path)).status === 404, 'its end', 180_000)
  }
  const add = async (domain: string) => {
    await world.done('POST', '/sitios', { cliente: 'ana', domain, aliases: [] })
    const path = `/sitios/${domain}/archivos/contenido?ruta=/public/index.html`
    const put = await world.panel.api('PUT', path, { bearer: world.token, raw: domain })
    expect(put.status).toBe(201)
  }
  const inBin = async (kind: string, name: string) =>
    (await command(world, 'papelera')).some(({ tipo, nombre }: Json) => tipo === kind && nombre === name)
  const latest = async () => (await world.done('GET', '/clientes/ana/copias')).datos[0]

  test('is copied first, and can be had from that copy although it is gone', async () => {
    await add('otra.es')
    await createBase(world, 'ana', 'otra')
    await world.done('PATCH', '/sitios/otra.es', { indice_spa: true })
    const task = { cuando: '5 4 * * *', orden: ['php8.2', '/public/index.php'] }
    await world.done('POST', '/sitios/otra.es/programadas', task)
    await gone('/sitios/otra.es')
    const ofSite = await latest()
    const settings = { tipo: 'ajustes', error: null }
    expect(ofSite.contenido).toMatchObject([settings, { tipo: 'sitio', nombre: 'otra.es', error: null }])
    await gone('/bases/ana_otra')
    const ofBase = await latest()
    expect(ofBase.contenido).toMatchObject([settings, { tipo: 'base', nombre: 'ana_otra', error: null }])
    expect([await inBin('sitio', 'otra.es'), await inBin('base', 'ana_otra')]).toEqual([true, true])
    for (const [copy, query] of [
      [ofSite, 'sitio=otra.es'],
      [ofBase, 'base=ana_otra'],
    ]) {
      const answer = await world.panel.fetch(`/api/clientes/ana/copias/${copy.copia}/archivo?${query}`, {
        headers: { authorization: `Bearer ${world.token}` },
      })
      expect(Bun.gunzipSync(await answer.arrayBuffer()).length).toBeGreaterThan(500)
    }
    // Made anew, the site gets what it was set to from that copy, too.
    await world.done('POST', '/sitios', { cliente: 'ana', domain: 'otra.es', aliases: [] })
    const whole = { sitio: 'otra.es', modo: 'sustituir' }
    const restored = await world.result(`/clientes/ana/copias/${ofSite.copia}/restaurar`, whole)
    expect(restored).toMatchObject({ ajustes: true })
    expect((await world.done('GET', '/sitios/otra.es')).indice_spa).toBe(true)
    expect((await world.done('GET', '/sitios/otra.es/programadas')).datos).toMatchObject([task])
    await gone('/sitios/otra.es')
  }, 300_000)

  test('is copied twenty times a day for a customer, and then goes with the bin alone, which is told', async () => {
    countNineteen((client) => `copias_antes:${client}`)
    const removed = async (domain: string, bearer: string) => {
      await add(domain)
      const { status, body } = await world.panel.api('DELETE', `/sitios/${domain}`, { bearer })
      await eventually(
        async () => (await world.call('GET', `/sitios/${domain}`)).status === 404,
        'its end',
        180_000,
      )
      return {
        status,
        copied: body.copia_previa,
        kept: (await latest()).contenido.some(({ nombre }: Json) => nombre === domain),
      }
    }
    expect(await removed('veinte.es', ana)).toMatchObject({ copied: 'pedida', kept: true })
    expect(await removed('veintiuno.es', ana)).toEqual({ status: 200, copied: 'limite', kept: false })
    expect(await inBin('sitio', 'veintiuno.es')).toBe(true)
    const [told] = (await world.done('GET', `/auditoria?operacion=${encodeURIComponent('DELETE /sitios')}`))
      .datos
    expect(told?.detalle).toEqual({ copia_previa: 'limite' })
    expect(await removed('operador.es', world.token)).toMatchObject({ copied: 'pedida', kept: true })
  }, 240_000)

  test('is copied and goes, whenever the panel is killed meanwhile', async () => {
    const { panel } = world
    for (const point of ['copies.part:after', 'commit:after']) {
      await add('cortada.es')
      await panel.kill()
      await panel.up({ PANEL_TEST_KILL: `copia.antes:${point}` })
      await world.call('DELETE', '/sitios/cortada.es').catch(() => null)
      await panel.died()
      await panel.up()
      const isGone = async () => (await world.call('GET', '/sitios/cortada.es')).status === 404
      await eventually(isGone, `its end after ${point}`, 180_000)
      const { contenido, estado } = await latest()
      const [, site] = contenido
      expect([site.nombre, estado]).toEqual(['cortada.es', 'completa'])
    }
  }, 240_000)

  test('goes to the bin all the same while the destination is away, and that is told', async () => {
    await add('sola.es')
    renameSync(world.store, `${world.store}-away`)
    try {
      await gone('/sitios/sola.es')
      expect(await inBin('sitio', 'sola.es')).toBe(true)
      expect(await latest()).toMatchObject({ estado: 'incompleta', contenido: [] })
      const jobs: Json[] = (await world.done('GET', '/tareas?cliente=ana')).datos
      const before = jobs.filter(({ operacion }) => operacion === 'copia.antes')
      expect(before.map(({ estado }) => estado)).toContain('fallida')
      const isTold = async () =>
        (await world.panel.mails()).some(({ subject }) => /copias que fallan|Backups fail/.test(subject))
      await eventually(isTold, 'the mail', 180_000)
    } finally {
      renameSync(`${world.store}-away`, world.store)
    }
  }, 240_000)
})

test('every night each client is copied, once', async () => {
  const night = new Date()
  night.setUTCDate(night.getUTCDate() + 3)
  night.setUTCHours(2, 2, 0, 0)
  await world.panel.setClock(Math.round((night.getTime() - Date.now()) / 1000))
  expect(await command(world, 'cron', 'copias')).toMatchObject({ resultado: { pedidas: 2 } })
  const latest = async (client: string) => (await world.done('GET', `/clientes/${client}/copias`)).datos[0]
  for (const client of ['ana', 'bea']) {
    const isNew = async () => (await latest(client))?.cuando.startsWith(night.toISOString().slice(0, 10))
    await eventually(async () => (await isNew()) || null, 'its copy', 60_000)
    expect((await latest(client)).estado).toBe('completa')
  }
  expect(await command(world, 'cron', 'copias')).toMatchObject({ resultado: { pedidas: 0 } })
}, 240_000)

test('a copy that does not read back as it was is told of, and doctor says how old the last good one is', async () => {
  const { panel } = world
  const named = (await panel.command('doctor')).lines[0]?.map(({ comprobacion }: Json) => comprobacion)
  expect(named).toEqual(expect.arrayContaining(['copias de clientes', 'copia del nodo']))
  const bearer = world.token
  const copies = async (): Promise<Json[]> =>
    (await panel.api('GET', '/clientes/bea/copias', { bearer })).body.datos
  // That of the night before may be under way still.
  const isIdle = async () => {
    const { datos } = (await panel.api('GET', '/tareas', { bearer })).body
    return datos.every(({ terminada }: Json) => terminada !== null)
  }
  await eventually(isIdle, 'the end of all work', 60_000)
  const before = new Set((await copies()).map(({ copia }) => copia))
  const packs = [...new Bun.Glob('c2-*/data/*/*').scanSync({ cwd: world.store, absolute: true })]
  expect(packs.length).toBeGreaterThan(0)
  for (const pack of packs) {
    const bytes = readFileSync(pack)
    Bun.spawnSync(['chmod', 'u+w', pack])
    writeFileSync(
      pack,
      bytes.map((byte) => byte ^ 1),
    )
  }
  // A week after whatever was read back before.
  await panel.setClock(11 * 86_400)
  // The night has come, too, and its copy may be under way already.
  const { status } = await panel.api('POST', '/clientes/bea/copias', { bearer })
  expect([202, 409]).toContain(status)
  const told = async () =>
    (await copies()).find(({ copia, estado }) => !before.has(copia) && estado === 'danada') ?? null
  const { copia, contenido } = await eventually(told, 'the copy that is damaged', 120_000)
  await eventually(isIdle, 'the end of all work', 60_000)
  // All packs are changed, so the copies before are, too.
  expect((await copies()).map(({ estado }) => estado)).not.toContain('completa')
  const { tipo, nombre } = contenido.find(({ danada, tipo }: Json) => danada && tipo === 'sitio')
  const path = `/clientes/bea/copias/${copia}/restaurar`
  const refused = await panel.api('POST', path, { bearer, body: { [tipo]: nombre, modo: 'aparte' } })
  expect([refused.status, refused.body.codigo]).toEqual([409, 'copia_danada'])
  const check = async (name: string) =>
    (await panel.command('doctor')).lines[0].find(({ comprobacion }: Json) => comprobacion === name)
  expect(await check('copias dañadas')).toMatchObject({
    bien: false,
    consejo: expect.stringContaining('bea'),
  })
  // The next copy keeps anew what was lost, and with it copies of the same content are whole again.
  const copiedAgain = async () => {
    await eventually(isIdle, 'the end of all work', 120_000)
    const { body } = await panel.api('POST', '/clientes/bea/copias', { bearer })
    return (await world.ended(body.tarea.id)).resultado.estado
  }
  const states = async () => new Map((await copies()).map((one) => [one.copia, one.estado]))
  expect(await copiedAgain()).toBe('completa')
  // What a site was set to may have changed since, as its certificate's next look does; its files have not.
  const files = (await copies())
    .find((one) => one.copia === copia)
    ?.contenido.find((part: Json) => part.tipo === 'sitio')
  expect(files?.danada).toBe(false)
  // What no later copy has is hoped for during a week, and then forgotten.
  await panel.setClock(20 * 86_400)
  expect([await copiedAgain(), await copiedAgain()]).toEqual(['completa', 'completa'])
  expect([...(await states()).values()]).not.toContain('danada')
  expect(await check('copias dañadas')).toMatchObject({ bien: true })
}, 400_000)
