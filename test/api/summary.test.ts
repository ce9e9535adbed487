import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { newClient, newCustomer, ROOMY } from './people.ts'

setDefaultTimeout(60_000)

let panel: Panel
let admin: SignedIn
let token: string

/** Where the operator has newer versions looked for. */
const source = { body: '{"version": "0.0.1"}', status: 200, asked: [] as (string | null)[] }
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    source.asked.push(request.headers.get('if-none-match'))
    const etag = `"${source.body.length}"`
    const known = request.headers.get('if-none-match') === etag
    if (known) return new Response(null, { status: 304 })
    return new Response(source.body, { status: source.status, headers: { etag } })
  },
})

beforeAll(async () => {
  panel = await Panel.start({ env: { ...ROOMY, PANEL_ACTUALIZACIONES: `${server.url}latest.json` } })
  admin = await firstAdmin(panel)
})
afterAll(async () => {
  await panel?.stop()
  await server.stop(true)
})

const summary = async (bearer = admin.bearer): Promise<Json> =>
  (await panel.api('GET', '/resumen', { bearer })).body
const point = async (name: string) =>
  (await summary()).puesta_en_marcha.find(({ punto }: Json) => punto === name)

describe('the summary', () => {
  test('of a new panel counts nothing and tells what is to be set up', async () => {
    const told = await summary()
    expect(told.totales).toEqual({
      clientes: { activos: 0, suspendidos: 0, eliminando: 0 },
      ...{ sitios: 0, zonas: 0, bases: 0, espejo: 0 },
    })
    expect(await point('plan')).toEqual({
      ...{ punto: 'plan', hecho: false, motivo: 'sin_configurar', consejo: null, descartado: false },
    })
    expect(await point('correo')).toMatchObject({ hecho: false, motivo: 'sin_configurar' })
    expect(await point('direcciones')).toMatchObject({ hecho: true, motivo: null })
    expect(told.actividad.length).toBeGreaterThan(0)
  })

  test('takes a token for set up once it was used', async () => {
    expect(await point('token')).toMatchObject({ hecho: false, motivo: 'sin_configurar' })
    token = await newToken(panel, admin)
    expect(await point('token')).toMatchObject({ hecho: false, motivo: 'sin_usar' })
    await summary(token)
    await eventually(async () => (await point('token')).hecho, 'the token counts as used')
  })

  test('counts clients by state, at any number of them', async () => {
    for (const size of [1, 3, 7]) {
      for (let n = (await summary()).totales.clientes.activos; n < size; n++)
        await newClient(panel, admin.bearer, `cliente${size}${n}`)
      expect((await summary()).totales.clientes.activos).toBe(size)
    }
    await panel.api('POST', '/clientes/cliente10/suspender', { bearer: admin.bearer })
    expect((await summary()).totales.clientes).toEqual({ activos: 6, suspendidos: 1, eliminando: 0 })
    expect(await point('cliente')).toMatchObject({ hecho: true })
  })

  test('leaves out what an administrator said does not apply, for all, and still checks it', async () => {
    const put = (body: Json, bearer = admin.bearer) =>
      panel.api('PUT', '/resumen/puesta-en-marcha', { bearer, body })
    const chosen = { oculta: true, descartados: ['token', 'copias', 'token'] }
    const answer = await put(chosen)
    expect([answer.status, answer.body]).toEqual([200, { oculta: true, descartados: ['copias', 'token'] }])
    const told = await summary(token)
    expect(told.puesta_en_marcha_oculta).toBe(true)
    expect(await point('copias')).toMatchObject({ hecho: false, descartado: true })
    expect(await point('plan')).toMatchObject({ descartado: false })
    expect((await put({ oculta: false, descartados: ['luna'] })).status).toBe(422)
    expect((await put({ oculta: false, descartados: [] })).status).toBe(200)
    expect(await point('copias')).toMatchObject({ descartado: false })
  })

  test('is not for customers', async () => {
    const customer = await newCustomer(panel, token, 'eva')
    expect(
      (
        await panel.api('PUT', '/resumen/puesta-en-marcha', {
          bearer: customer.bearer,
          body: { oculta: true, descartados: [] },
        })
      ).status,
    ).toBe(403)
    expect((await panel.api('GET', '/resumen', { bearer: customer.bearer })).status).toBe(403)
    expect((await panel.api('POST', '/correo/prueba', { bearer: customer.bearer })).status).toBe(403)
  })
})

describe('a test mail', () => {
  test("goes to the caller's own address, and the summary tells that it was handed over", async () => {
    const asked = await panel.api('POST', '/correo/prueba', { bearer: token })
    expect([asked.status, asked.body]).toEqual([202, { enviado_a: admin.email }])
    await eventually(async () => (await summary()).correo_prueba.estado === 'enviado', 'the mail was sent')
    expect((await summary()).correo_prueba.para).toBe(admin.email)
    expect((await panel.mailTo(admin.email)).subject).toContain('localhost')
  })
})

describe('the connection of a site', () => {
  test("tells what to set, and another client's site is not there", async () => {
    const bea = await newCustomer(panel, token, 'bea')
    await panel.api('POST', '/sitios', { bearer: token, body: { cliente: 'bea', domain: 'bea.es' } })
    const seen = await panel.api('GET', '/sitios/bea.es/conexion', { bearer: bea.bearer })
    expect([seen.status, seen.body]).toEqual([
      200,
      expect.objectContaining({ conectado: false, direcciones: ['127.0.0.1'], zona: 'bea.es' }),
    ])
    expect(seen.body.servidores).toEqual(['ns1.panel.test', 'ns2.panel.test'])
    const ana = await newCustomer(panel, token, 'ana')
    const hidden = await panel.api('GET', '/sitios/bea.es/conexion', { bearer: ana.bearer })
    expect([hidden.status, hidden.body.codigo]).toEqual([404, 'sitio_no_existe'])
  })
})

describe('a newer version', () => {
  const look = async () => (await panel.command('cron', 'actualizaciones')).lines[0].resultado
  const told = async () => (await summary()).actualizacion
  const advised = async () => {
    const [checks] = (await panel.command('doctor')).lines
    return checks.find(({ comprobacion }: Json) => comprobacion.startsWith('versión'))?.consejo ?? null
  }

  test('is none while the source tells of none, or does not answer', async () => {
    expect(await look()).toEqual({ nueva: 0, avisos: 0 })
    expect([await told(), await advised()]).toEqual([null, null])
    Object.assign(source, { status: 500, body: 'broken' })
    expect(await look()).toEqual({ nueva: 0, avisos: 0 })
    Object.assign(source, { status: 200, body: `{"version": "9.0.0"}${' '.repeat(2 * 1024 * 1024)}` })
    expect(await look()).toEqual({ nueva: 0, avisos: 0 })
  })

  test('is told by the summary and by doctor, and by one mail', async () => {
    source.body = '{"version": "99.1.0", "url": "https://panel.es/99.1.0"}'
    expect(await look()).toEqual({ nueva: 1, avisos: 1 })
    expect(await told()).toMatchObject({ version: '99.1.0', url: 'https://panel.es/99.1.0' })
    expect(await advised()).toContain('99.1.0')
    const written = async () => (await panel.mails()).filter(({ subject }) => subject.includes('99.1.0'))
    await eventually(async () => (await written()).length > 0, 'the mail')
    expect(await look()).toEqual({ nueva: 1, avisos: 0 })
    expect(source.asked.at(-1)).toBe(`"${source.body.length}"`)
    expect(await written()).toHaveLength(1)
    source.status = 500
    source.body = 'away'
    expect(await look()).toEqual({ nueva: 1, avisos: 0 })
    expect(await told()).toMatchObject({ version: '99.1.0' })
  })
})
