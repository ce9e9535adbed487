import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Panel } from '../support/panel.ts'
import { enrol, firstAdmin, newToken, type SignedIn } from '../support/people.ts'

let panel: Panel
let token: string
let customer: SignedIn

beforeAll(async () => {
  panel = await Panel.start()
  token = await newToken(panel, await firstAdmin(panel))
  await post('/planes', { plan: 'sin-https', funciones: ['php'] })
  await post('/clientes', { cliente: 'uno', plan: 'sin-https' })
  await post('/clientes', { cliente: 'dos' })
  await post('/sitios', { cliente: 'uno', domain: 'uno.es', aliases: [] })
  await post('/sitios', { cliente: 'dos', domain: 'dos.es', aliases: [] })
  await post('/clientes/dos/acceso', { correo: 'dos@ejemplo.es' })
  customer = await enrol(panel, (await panel.mailTo('dos@ejemplo.es')).link ?? '', 'dos@ejemplo.es')
})
afterAll(() => panel.stop())

const post = (path: string, body?: unknown, bearer = token) =>
  panel.api('POST', path, { bearer, ...(body === undefined ? {} : { body }) })

test('a plan without HTTPS is refused with 402, naming the function and the plan', async () => {
  const answer = await post('/sitios/uno.es/https')
  expect(answer.status).toBe(402)
  expect(answer.body).toMatchObject({ codigo: 'funcion_de_pago', funcion: 'https', plan: 'sin-https' })
})

test('where no authority is configured the answer says so, and the site stays as it is', async () => {
  const answer = await post('/sitios/dos.es/https')
  expect(answer.status).toBe(409)
  expect(answer.body.codigo).toBe('https_no_disponible')
  const site = await panel.api('GET', '/sitios/dos.es', { bearer: token })
  expect(site.body.https).toEqual({
    estado: 'autofirmado',
    emisor: null,
    caduca: expect.stringMatching(/^20.*Z$/),
    nombres: ['dos.es'],
    error: null,
    se_reintenta: null,
  })
})

test('another client’s site and one that is not there answer alike', async () => {
  const [foreign, absent] = [
    await post('/sitios/uno.es/https', undefined, customer.bearer),
    await post('/sitios/nada.es/https', undefined, customer.bearer),
  ]
  expect([foreign.status, foreign.body.codigo]).toEqual([404, 'sitio_no_existe'])
  expect([absent.status, absent.body.codigo]).toEqual([404, 'sitio_no_existe'])
  expect((await post('/sitios/dos.es/https', undefined, customer.bearer)).status).toBe(409)
})

test('without a bearer there is nothing', async () => {
  expect((await panel.fetch('/api/sitios/dos.es/https', { method: 'POST' })).status).toBe(404)
})
