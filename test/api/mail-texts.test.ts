import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { MAILS } from '../../lib/text/mails.ts'
import { type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { newLogin, ROOMY } from './people.ts'
import { rows } from './store.ts'

setDefaultTimeout(60_000)

let panel: Panel
let admin: SignedIn
let token: string

beforeAll(async () => {
  panel = await Panel.start({ env: ROOMY })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
})
afterAll(() => panel.stop())

const list = async (): Promise<Json[]> =>
  (await panel.api('GET', '/correo/textos', { bearer: admin.bearer })).body.datos
const one = async (clase: string) => (await list()).find((text) => text.clase === clase)
const put = (clase: string, body: unknown, bearer = admin.bearer) =>
  panel.api('PUT', `/correo/textos/${clase}`, { bearer, body })

const EN = { asunto: 'Welcome', texto: 'Welcome.' }
const OWN = {
  es: {
    asunto: 'Le damos la bienvenida, {cliente}',
    texto: 'Gracias por elegir {empresa}.\n\n\nElija <b>su</b> contraseña:\naquí mismo.',
  },
  en: EN,
}

test('every kind of mail is listed with the panel’s words and the values that it has', async () => {
  const texts = await list()
  expect(texts.map(({ clase }) => clase)).toEqual(Object.keys(MAILS))
  expect(texts.every(({ propio }) => propio === false)).toBe(true)
  expect(texts.find(({ clase }) => clase === 'restablecer')).toMatchObject({
    textos: {
      es: { asunto: MAILS.restablecer.es.subject, texto: MAILS.restablecer.es.paragraphs.join('\n\n') },
    },
    valores: ['cliente', 'panel', 'host', 'empresa'],
  })
})

test('the operator’s words are sent in the place of the panel’s, with link, greeting and foot', async () => {
  const { status, body } = await put('activacion', OWN)
  expect([status, body.propio, body.textos]).toEqual([200, true, OWN])
  const link = await newLogin(panel, token, 'propio')
  const mail = await panel.mailTo('propio@cliente.es')
  expect(mail.subject).toBe('Le damos la bienvenida, propio')
  const { host } = new URL(panel.origin)
  const [greeting, first, second, address, ...rest] = mail.text.trim().split('\n\n')
  expect([greeting, first, second]).toEqual([
    'Hola:',
    `Gracias por elegir ${host.replace(/:\d+$/, '')}.`,
    'Elija <b>su</b> contraseña:\naquí mismo.',
  ])
  expect(address).toBe(`${panel.origin}/enlace#${link}`)
  expect(rest.at(-1)).toContain(panel.origin)
  expect(mail.html).toContain('Elija &#60;b&#62;su&#60;/b&#62; contraseña:<br>aquí mismo.')
  expect(mail.html).not.toContain('<b>')
})

test('the panel’s words come back, and nothing else changes', async () => {
  await put('restablecer', OWN)
  const answer = await panel.api('DELETE', '/correo/textos/restablecer', { bearer: admin.bearer })
  expect([answer.status, answer.body.propio]).toEqual([200, false])
  expect((await one('restablecer'))?.textos).toEqual(answer.body.originales)
  expect((await one('activacion'))?.propio).toBe(true)
})

test('what a mail cannot say is refused by its field and changes nothing', async () => {
  const kept = () => rows(panel, 'select * from settings order by name')
  const before = kept()
  const words = (more: object) => ({ es: { ...OWN.es, ...more }, en: EN })
  const refusals: [string, unknown, string, string][] = [
    ['restablecer', words({ texto: 'Use {contrasena}.' }), 'es.texto', 'valor_desconocido'],
    ['restablecer', words({ asunto: 'De {numero}' }), 'es.asunto', 'valor_desconocido'],
    ['restablecer', words({ asunto: 'Uno\nBcc: a@b.es' }), 'es.asunto', 'caracteres_no_admitidos'],
    ['restablecer', words({ texto: 'al revés \u202e' }), 'es.texto', 'caracteres_no_admitidos'],
    ['restablecer', words({ texto: ' \n ' }), 'es.texto', 'demasiado_corto'],
    ['restablecer', words({ texto: 'a'.repeat(4001) }), 'es.texto', 'demasiado_largo'],
    ['restablecer', { es: OWN.es }, 'en', 'obligatorio'],
  ]
  for (const [clase, body, campo, codigo] of refusals) {
    const { status, body: told } = await put(clase, body)
    expect([status, told.campos[0].campo, told.campos[0].codigo]).toEqual([422, campo, codigo])
  }
  expect((await put('nada', OWN)).status).toBe(422)
  // Mails bring the links that people sign in with: their words are for persons.
  const { status, body } = await put('restablecer', OWN, token)
  expect([status, body.codigo]).toEqual([403, 'no_con_token'])
  expect(kept()).toEqual(before)
})
