import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type Json, Panel } from '../support/panel.ts'
import { codeOf, firstAdmin, newToken, PASSWORD, type SignedIn } from '../support/people.ts'
import { newCustomer, outcome, ROOMY } from './people.ts'

setDefaultTimeout(60_000)

let panel: Panel
let admin: SignedIn
let token: string

beforeAll(async () => {
  panel = await Panel.start({ env: ROOMY })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
})
afterEach(() => panel.setClock(0))
afterAll(() => panel.stop())

const ask = (cliente: string, { bearer }: SignedIn, correo: string, contrasena = PASSWORD) =>
  panel.atNode('PUT', `/api/clientes/${cliente}/correo`, { bearer, body: { correo, contrasena } })
const addressOf = async (cliente: string) =>
  (await panel.api('GET', `/clientes/${cliente}/acceso`, { bearer: token })).body.correo
const enter = (correo: string) => panel.access('/entrar', { correo, contrasena: PASSWORD })
const spend = (body: object) => panel.access('/enlace/gastar', body)

test('a customer’s new address counts once its link is spent, and both addresses get a mail before and after', async () => {
  const person = await newCustomer(panel, token, 'muda')
  const asked = await ask('muda', person, 'nueva@cliente.es')
  expect([asked.status, asked.body.correo]).toEqual([202, 'muda@cliente.es'])
  const warning = await panel.mailTo('muda@cliente.es', 2)
  expect([warning.link, warning.text]).toEqual([null, expect.stringContaining('nueva@cliente.es')])
  const { link } = await panel.mailTo('nueva@cliente.es')
  expect((await panel.access('/enlace', { enlace: link })).body).toMatchObject({
    para: 'correo',
    correo: 'nueva@cliente.es',
    cliente: 'muda',
  })
  expect(await addressOf('muda')).toBe('muda@cliente.es')
  expect((await enter('nueva@cliente.es')).status).toBe(401)

  const spent = await spend({ enlace: link })
  expect([spent.status, spent.body]).toEqual([200, { paso: 'correo_confirmado', correo: 'nueva@cliente.es' }])
  expect(await addressOf('muda')).toBe('nueva@cliente.es')
  expect((await enter('nueva@cliente.es')).status).toBe(200)
  expect((await enter('muda@cliente.es')).status).toBe(401)
  expect((await panel.mailTo('muda@cliente.es', 3)).text).toContain('nueva@cliente.es')
  expect((await panel.mailTo('nueva@cliente.es', 2)).text).toContain('muda@cliente.es')
  expect(outcome(await spend({ enlace: link }))).toEqual([410, 'enlace_gastado'])
})

test('the audit trail tells who signed in, and an address that was asked for from one that was changed', async () => {
  const person = await newCustomer(panel, token, 'apuntada')
  await ask('apuntada', person, 'apuntada-nueva@cliente.es')
  const { link } = await panel.mailTo('apuntada-nueva@cliente.es')
  await spend({ enlace: link })
  const { body } = await panel.api('GET', '/auditoria?actor=apuntada@cliente.es', { bearer: token })
  const told = body.datos.map(({ operacion, resultado, actor }: Json) => [operacion, resultado, actor.tipo])
  expect(told).toEqual([
    ['PUT /clientes/<cliente>/correo', 'pedido', 'persona'],
    ['POST /segundo-factor/inscribir', 'hecho', 'persona'],
  ])
  const { datos } = (await panel.api('GET', '/auditoria?cliente=apuntada&limite=2', { bearer: token })).body
  expect(datos[0]).toMatchObject({ operacion: 'POST /enlace/gastar', resultado: 'hecho' })
})

test('a link to confirm an address refuses a password, and a link to reset a password needs one', async () => {
  const person = await newCustomer(panel, token, 'sin-clave')
  await ask('sin-clave', person, 'otra-clave@cliente.es')
  const { link } = await panel.mailTo('otra-clave@cliente.es')
  const refused = await spend({ enlace: link, contrasena: 'otra frase larga y rara 8' })
  expect([refused.status, refused.body.campos]).toMatchObject([
    422,
    [{ campo: 'contrasena', codigo: 'campo_desconocido' }],
  ])
  expect((await enter('sin-clave@cliente.es')).status).toBe(200)
  await panel.setClock(61)
  await panel.atNode('POST', '/api/clientes/sin-clave/acceso/restablecer', { bearer: token })
  const reset = (await panel.mailTo('sin-clave@cliente.es', 3)).link
  const empty = await spend({ enlace: reset })
  expect([empty.status, empty.body.campos]).toMatchObject([
    422,
    [{ campo: 'contrasena', codigo: 'obligatorio' }],
  ])
})

test('asking for another address ends the first link, and a link to confirm an address ends after an hour', async () => {
  const person = await newCustomer(panel, token, 'cambia-de-idea')
  const linkTo = async (correo: string, seconds: number) => {
    await panel.setClock(seconds)
    expect((await ask('cambia-de-idea', person, correo)).status).toBe(202)
    return (await panel.mailTo(correo)).link
  }
  const first = await linkTo('una@cliente.es', 0)
  const second = await linkTo('dos@cliente.es', 61)
  expect(outcome(await spend({ enlace: first }))).toEqual([410, 'enlace_gastado'])
  await panel.setClock(61 + 3601)
  expect(outcome(await spend({ enlace: second }))).toEqual([410, 'enlace_caducado'])
  await panel.setClock(0)
  expect(await addressOf('cambia-de-idea')).toBe('cambia-de-idea@cliente.es')
})

test('a link to confirm an address is refused once the password was changed', async () => {
  const person = await newCustomer(panel, token, 'cambia-clave')
  expect((await ask('cambia-clave', person, 'intruso@cliente.es')).status).toBe(202)
  const { link } = await panel.mailTo('intruso@cliente.es')
  const body = { actual: PASSWORD, nueva: 'otra frase larga y rara 8' }
  const changed = await panel.atNode('PUT', '/api/yo/contrasena', { bearer: person.bearer, body })
  expect(changed.status).toBe(200)
  expect(outcome(await spend({ enlace: link }))).toEqual([410, 'enlace_gastado'])
  expect(await addressOf('cambia-clave')).toBe('cambia-clave@cliente.es')
})

test('a reset link still works, and is still shown as sent, while a new address waits to be confirmed', async () => {
  const person = await newCustomer(panel, token, 'enlaces')
  await panel.atNode('POST', '/api/clientes/enlaces/acceso/restablecer', { bearer: token })
  const reset = (await panel.mailTo('enlaces@cliente.es', 2)).link
  await panel.setClock(61)
  expect((await ask('enlaces', person, 'luego@cliente.es')).status).toBe(202)
  const { body } = await panel.api('GET', '/clientes/enlaces/acceso', { bearer: token })
  expect(body.enlace.estado).toBe('enviado')
  expect((await spend({ enlace: reset, contrasena: 'otra frase larga y rara 8' })).status).toBe(200)
})

test('an address can be changed once a minute, and a stranger asking for links does not use that up', async () => {
  const person = await newCustomer(panel, token, 'prisa')
  expect((await panel.access('/olvido', { correo: person.email })).status).toBe(202)
  expect((await ask('prisa', person, 'prisa1@cliente.es')).status).toBe(202)
  expect(outcome(await ask('prisa', person, 'prisa2@cliente.es'))).toEqual([429, 'espera'])
})

test('a wrong password and a suspended client change nothing', async () => {
  const person = await newCustomer(panel, token, 'quieta')
  expect(outcome(await ask('quieta', person, 'x1@cliente.es', 'no es esta frase'))).toEqual([
    403,
    'contrasena_incorrecta',
  ])
  expect((await ask('quieta', person, 'x2@cliente.es')).status).toBe(202)
  const { link } = await panel.mailTo('x2@cliente.es')
  await panel.api('POST', '/clientes/quieta/suspender', { bearer: token })
  expect(outcome(await spend({ enlace: link }))).toEqual([410, 'enlace_gastado'])
  expect(await addressOf('quieta')).toBe('quieta@cliente.es')
})

test('an address changed by an admin counts at once, and the second factor still works', async () => {
  const person = await newCustomer(panel, token, 'por-admin')
  const changed = await ask('por-admin', admin, 'admin-lo-quiso@cliente.es')
  expect([changed.status, changed.body.correo]).toEqual([200, 'admin-lo-quiso@cliente.es'])
  const { body } = await enter('admin-lo-quiso@cliente.es')
  const answer = await panel.access('/segundo-factor', {
    paso_token: body.paso_token,
    codigo: await codeOf(panel, person.totp, 1),
  })
  expect(answer.status).toBe(200)
})
