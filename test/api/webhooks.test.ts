import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Webhook as Verifier } from 'standardwebhooks'
import { loopbackCertificate } from '../support/certificate.ts'
import { type Answer, type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { Receiver } from '../support/receiver.ts'
import { eventually } from '../support/wait.ts'
import { newClient, outcome, ROOMY } from './people.ts'
import { everything } from './store.ts'

setDefaultTimeout(60_000)
const LONG_MS = 60_000

let panel: Panel
let receiver: Receiver
let admin: SignedIn
let token: string

beforeAll(async () => {
  receiver = await Receiver.start()
  const { caPath } = await loopbackCertificate()
  panel = await Panel.start({
    env: { ...ROOMY, NODE_EXTRA_CA_CERTS: caPath, PANEL_AVISOS_IPS: '127.0.0.1' },
  })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
})
afterEach(() => {
  receiver.reply = () => new Response('ok')
})
afterAll(async () => {
  await panel.stop()
  await receiver.stop()
})

const as = (bearer: string) => (method: string, path: string, body?: Json) =>
  panel.api(method, path, { bearer, ...(body === undefined ? {} : { body }) })
const person = (method: string, path: string, body?: Json) => as(admin.bearer)(method, path, body)
const program = (method: string, path: string, body?: Json) => as(token)(method, path, body)

const refusal = async (answer: Promise<Answer>) => outcome(await answer)

/** A webhook at a path of the receiver. */
async function make(path: string, tipos: string[] = ['*']): Promise<Json> {
  const made = await person('POST', '/avisos', { url: receiver.url(path), tipos })
  expect(made.status).toBe(201)
  return made.body
}
const deliveriesOf = async ({ id }: Json, query = ''): Promise<Json[]> =>
  (await program('GET', `/avisos/${id}/entregas${query}`)).body.datos
const ended = (webhook: Json, estado: string, count = 1) =>
  eventually(
    async () => {
      const found = await deliveriesOf(webhook, `?estado=${estado}`)
      return found.length >= count ? found : null
    },
    `${count} ${estado}`,
    LONG_MS,
  )

describe('a webhook', () => {
  test('is told of what happens, signed with the secret that was shown once', async () => {
    const webhook = await make('/facturas', ['cliente.creado'])
    expect(webhook).toMatchObject({ activo: true, motivo: null, en_cola: 0, secreto_anterior_hasta: null })
    await newClient(panel, token, 'acme')
    const [delivery] = await ended(webhook, 'entregada')
    const [received] = receiver.at('/facturas')
    const told = new Verifier(webhook.secreto).verify(received?.body ?? '', received?.headers ?? {}) as Json
    const feed = await program('GET', '/eventos?limite=200')
    expect(told.data).toEqual(feed.body.datos.find(({ tipo }: Json) => tipo === 'cliente.creado'))
    expect([told.type, told.timestamp]).toEqual([told.data.tipo, told.data.cuando])
    expect(received?.headers['webhook-id']).toBe(`evt_${told.data.evento}`)
    expect(delivery).toMatchObject({
      evento: told.data.evento,
      tipo: 'cliente.creado',
      cliente: 'acme',
      objeto: null,
      estado: 'entregada',
      intentos: 1,
      contestacion: { estado: 200, cuerpo: 'ok' },
      fallo: null,
      proximo_intento: null,
    })
    const { secreto, ...shown } = webhook
    const now = (await program('GET', `/avisos/${webhook.id}`)).body
    expect(now).toEqual({ ...shown, ultima_entrega: now.ultima_entrega })
    expect(now.ultima_entrega).not.toBeNull()
    expect((await program('GET', '/avisos')).body.datos).toContainEqual(now)
    expect(everything(panel)).not.toContain(secreto.slice(6))
    expect(panel.log).not.toContain(secreto.slice(6))
  })

  test('is made, moved and given a new secret by a person only', async () => {
    const webhook = await make('/persona')
    const elsewhere = { url: receiver.url('/otra') }
    expect(await refusal(program('POST', '/avisos', { ...elsewhere, tipos: ['*'] }))).toEqual([
      403,
      'no_con_token',
    ])
    expect(await refusal(program('PATCH', `/avisos/${webhook.id}`, elsewhere))).toEqual([403, 'no_con_token'])
    expect(await refusal(program('POST', `/avisos/${webhook.id}/secreto`))).toEqual([403, 'no_con_token'])
    const changed = await program('PATCH', `/avisos/${webhook.id}`, { tipos: ['sitio.error'], activo: false })
    expect(changed.body).toMatchObject({ tipos: ['sitio.error'], activo: false, motivo: 'a_mano' })
    expect((await person('PATCH', `/avisos/${webhook.id}`, elsewhere)).body.url).toBe(elsewhere.url)
    const on = await program('PATCH', `/avisos/${webhook.id}`, { activo: true })
    expect(on.body).toMatchObject({ activo: true, motivo: null })
    expect((await program('DELETE', `/avisos/${webhook.id}`)).body).toEqual({
      id: webhook.id,
      eliminado: true,
    })
    expect(await refusal(program('GET', `/avisos/${webhook.id}`))).toEqual([404, 'aviso_no_existe'])
    expect(await refusal(program('DELETE', `/avisos/${webhook.id}`))).toEqual([404, 'aviso_no_existe'])
    const audit = (await person('GET', '/auditoria?limite=200')).body.datos.filter(
      ({ objeto }: Json) => objeto === webhook.id,
    )
    expect(audit.length).toBeGreaterThan(4)
    expect(JSON.stringify(audit)).not.toContain('/otra')
  })

  test.each([
    [{ url: 'http://ejemplo.es/', tipos: ['*'] }, 'url'],
    [{ url: 'https://127.0.0.2/', tipos: ['*'] }, 'url'],
    [{ url: 'https://[::1]/', tipos: ['*'] }, 'url'],
    [{ url: 'https://a:b@ejemplo.es/', tipos: ['*'] }, 'url'],
    [{ url: 'https://ejemplo.es/', tipos: [] }, 'tipos'],
    [{ url: 'https://ejemplo.es/', tipos: ['nada'] }, 'tipos.0'],
  ])('%j is refused', async (body, campo) => {
    const refused = await person('POST', '/avisos', body)
    expect([refused.status, refused.body.campos?.[0]?.campo]).toEqual([422, campo])
  })

  test('has two signatures for a day after its secret was replaced', async () => {
    const webhook = await make('/rotado', ['token.creado'])
    const rotated = (await person('POST', `/avisos/${webhook.id}/secreto`)).body
    expect(rotated.secreto).not.toBe(webhook.secreto)
    expect(Date.parse(rotated.secreto_anterior_hasta)).toBeWithin(
      Date.now() + 86_000_000,
      Date.now() + 86_401_000,
    )
    expect((await program('POST', `/avisos/${webhook.id}/probar`)).body.estado).toBe('entregada')
    const [received] = receiver.at('/rotado')
    for (const { secreto } of [webhook, rotated])
      expect(new Verifier(secreto).verify(received?.body ?? '', received?.headers ?? {})).toMatchObject({
        type: 'aviso.prueba',
        data: {},
      })
  })

  test('is switched off by a reply 410, and switched on again by hand', async () => {
    const webhook = await make('/fuera', ['cliente.creado'])
    receiver.reply = ({ path }) => new Response('', { status: path === '/fuera' ? 410 : 200 })
    await newClient(panel, token, 'fuera')
    const [delivery] = await ended(webhook, 'abandonada')
    expect(delivery).toMatchObject({ intentos: 1, fallo: 'rechazada', contestacion: { estado: 410 } })
    const off = (await program('GET', `/avisos/${webhook.id}`)).body
    expect(off).toMatchObject({ activo: false, motivo: 'ya_no_existe', en_cola: 0 })
    const repeat = `/avisos/${webhook.id}/entregas/${delivery.id}/repetir`
    expect(await refusal(program('POST', repeat))).toEqual([409, 'aviso_apagado'])
    expect((await panel.mailTo('admin@ejemplo.es')).subject).toStartWith(
      'El panel ya no envía eventos a 127.0.0.1:',
    )
    receiver.reply = () => new Response('ok')
    await program('PATCH', `/avisos/${webhook.id}`, { activo: true })
    expect((await program('POST', repeat)).status).toBe(202)
    await ended(webhook, 'entregada')
    const ids = receiver.at('/fuera').map(({ headers }) => headers['webhook-id'])
    expect(ids).toEqual([ids[0], ids[0]])
    expect(await refusal(program('POST', `/avisos/${webhook.id}/entregas/999999/repetir`))).toEqual([
      404,
      'entrega_no_existe',
    ])
  })

  test('that failed is told again later, with what it replied', async () => {
    const webhook = await make('/falla', ['cliente.creado'])
    receiver.reply = ({ path }) => new Response('no puedo', { status: path === '/falla' ? 500 : 200 })
    await newClient(panel, token, 'falla')
    const waiting = await eventually(
      async () =>
        (await deliveriesOf(webhook, '?estado=en_cola')).find(({ intentos }) => intentos > 0) ?? null,
      'an attempt',
      LONG_MS,
    )
    expect(waiting).toMatchObject({ fallo: 'rechazada', contestacion: { estado: 500, cuerpo: 'no puedo' } })
    expect((await program('GET', `/avisos/${webhook.id}`)).body).toMatchObject({ en_cola: 1, fallidas: 1 })
    receiver.reply = () => new Response('ok')
    await panel.setClock(400)
    await ended(webhook, 'entregada')
    await panel.setClock(0)
  })

  test.each([
    ['/lejos', () => Response.redirect(receiver.url('/otro-sitio'), 307), { estado: 307 }, 'rechazada'],
    ['/enorme', () => new Response('x'.repeat(5_000_000)), { estado: 200, cuerpo: 'x'.repeat(1024) }, null],
    ['/nada', () => new Promise<Response>(() => {}), null, 'sin_respuesta'],
  ])('at %s is tested, and what it replies is told', async (path, reply, contestacion, fallo) => {
    const webhook = await make(path, ['token.revocado'])
    receiver.reply = reply
    const tested = await program('POST', `/avisos/${webhook.id}/probar`)
    expect(tested.status).toBe(200)
    expect(tested.body).toMatchObject({ tipo: 'aviso.prueba', evento: null, contestacion, fallo })
    expect(receiver.at('/otro-sitio')).toEqual([])
    expect(await deliveriesOf(webhook)).toEqual([tested.body])
  })

  test('has a page of its deliveries after the other', async () => {
    const webhook = await make('/paginas', ['token.revocado'])
    for (let at = 0; at < 3; at++) await program('POST', `/avisos/${webhook.id}/probar`)
    const all = await deliveriesOf(webhook)
    const first = (await program('GET', `/avisos/${webhook.id}/entregas?limite=2`)).body
    expect(first.datos).toEqual(all.slice(0, 2))
    const second = (await program('GET', `/avisos/${webhook.id}/entregas?desde=${first.siguiente}`)).body
    expect([second.datos, second.siguiente]).toEqual([all.slice(2), null])
    expect(await refusal(program('GET', `/avisos/${webhook.id}/entregas?desde=x`))).toEqual([
      400,
      'cursor_invalido',
    ])
  })

  test('is tried out six times a minute at the most, whoever asks', async () => {
    const webhook = await make('/intentos', ['token.revocado'])
    const tryOut = (as: typeof program) => as('POST', `/avisos/${webhook.id}/probar`)
    for (let at = 0; at < 6; at++) expect((await tryOut(program)).status).toBe(200)
    for (const as of [program, person]) {
      const refused = await tryOut(as)
      expect(outcome(refused)).toEqual([429, 'espera'])
      expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61)
    }
    expect(receiver.at('/intentos')).toHaveLength(6)
  })

  test('is one of at most twenty', async () => {
    const { datos } = (await program('GET', '/avisos')).body
    for (let at = datos.length; at < 20; at++) await make(`/lleno-${at}`, ['token.revocado'])
    const body = { url: receiver.url('/sobra'), tipos: ['*'] }
    expect(await refusal(person('POST', '/avisos', body))).toEqual([409, 'demasiados_avisos'])
  })
})
