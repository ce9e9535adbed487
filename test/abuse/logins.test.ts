import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { newCustomer, newLogin, outcome, ROOMY, snapshot } from '../api/people.ts'
import { count, plant, rows } from '../api/store.ts'
import { Panel } from '../support/panel.ts'
import { codeOf, firstAdmin, newToken, type SignedIn } from '../support/people.ts'

setDefaultTimeout(60_000)

let panel: Panel
let admin: SignedIn
let token: string

beforeAll(async () => {
  panel = await Panel.start({ env: ROOMY })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  await panel.api('POST', '/clientes', { bearer: token, body: { cliente: 'libre' } })
})
afterAll(() => panel.stop())

const mails = () => count(panel, 'select count(*) from mails')
const ADDRESS = 'buena@cliente.es'

/** Every operation that takes an address, with a body that is right but for what a test adds to it. */
const TAKING: [string, string, (correo: unknown) => Record<string, unknown>][] = [
  ['POST', '/api/clientes', (correo) => ({ cliente: 'nuevo', correo })],
  ['POST', '/api/clientes/libre/acceso', (correo) => ({ correo })],
  ['PUT', '/api/altas/x:1', (correo) => ({ correo, domain: 'nueva.es' })],
  ['PUT', '/api/clientes/libre/correo', (correo) => ({ correo, contrasena: admin.password })],
  ['POST', '/api/personas', (correo) => ({ correo })],
  ['POST', '/acceso/olvido', (correo) => ({ correo })],
]
const send = (method: string, path: string, body: unknown) =>
  panel.request(method, path, { ...(path.startsWith('/api/') ? { bearer: admin.bearer } : {}), body })

const NO_ADDRESSES: [string, unknown][] = [
  ['an array', [ADDRESS]],
  ['an object', { correo: ADDRESS }],
  ['a list', `${ADDRESS}, b@x.es`],
  ['a list with semicolons', `${ADDRESS};b@x.es`],
  ['a further header', `${ADDRESS}\r\nBcc: b@x.es`],
  ['a bare newline', `${ADDRESS}\nx`],
  ['a NUL', `buena\0@cliente.es`],
  ['a name beside it', `Buena <${ADDRESS}>`],
  ['a comment', 'buena(x)@cliente.es'],
  ['quotes', '"buena x"@cliente.es'],
  ['a second @', 'a@b@cliente.es'],
  ['10 kB', `${'a'.repeat(10_000)}@cliente.es`],
  ['nothing', ''],
]

describe('an address that is', () => {
  test.each(NO_ADDRESSES)('%s is 422 wherever one is taken, and nobody is mailed', async (_, correo) => {
    const before = [await snapshot(panel, token), mails()]
    for (const [method, path, body] of TAKING) {
      const { status, body: answer } = await send(method, path, body(correo))
      expect([path, status, answer.campos?.[0]?.campo]).toEqual([path, 422, 'correo'])
    }
    expect([await snapshot(panel, token), mails()]).toEqual(before)
  })
})

describe('a field that would set a credential', () => {
  const EXTRA = ['contrasena', 'password', 'totp', 'segundo_factor', 'verificado', 'estado', 'activo', 'hash']
  test.each(EXTRA)('%s is 422 where a login is made, and nobody is mailed', async (name) => {
    const before = [await snapshot(panel, token), mails()]
    const making = TAKING.filter(([, path]) => /\/(acceso|altas|personas|clientes)(\/x:1)?$/.test(path))
    expect(making).toHaveLength(4)
    for (const [method, path, body] of making) {
      const { status, body: answer } = await send(method, path, { ...body(ADDRESS), [name]: 'x' })
      expect([path, status, answer.campos?.[0]]).toMatchObject([
        path,
        422,
        { campo: name, codigo: 'campo_desconocido' },
      ])
    }
    expect([await snapshot(panel, token), mails()]).toEqual(before)
  })
})

test('a second factor whose sealed secret was moved to another account opens nothing there', async () => {
  const thief = await newCustomer(panel, token, 'ladrona')
  const victim = await newCustomer(panel, token, 'robada')
  const sealedOf = (person: SignedIn) =>
    rows<{ id: string; totp_secret: string }>(
      panel,
      'select id, totp_secret from persons where email = ?',
      person.email,
    )[0]
  const [from, to] = [sealedOf(thief), sealedOf(victim)]
  plant(panel, 'update persons set totp_secret = ? where id = ?', from?.totp_secret ?? '', to?.id ?? '')
  const { body } = await panel.access('/entrar', { correo: victim.email, contrasena: victim.password })
  const answer = await panel.access('/segundo-factor', {
    paso_token: body.paso_token,
    codigo: await codeOf(panel, thief.totp, 1),
  })
  expect(outcome(answer)).toEqual([500, 'error_interno'])
  expect(answer.headers.get('set-cookie')).toBeNull()
  plant(panel, 'update persons set totp_secret = ? where id = ?', to?.totp_secret ?? '', to?.id ?? '')
  const again = await panel.access('/segundo-factor', {
    paso_token: body.paso_token,
    codigo: await codeOf(panel, victim.totp, 1),
  })
  expect(again.status).toBe(200)
})

test('the page of a link opened fifty times by GET and HEAD from ten addresses leaves it good', async () => {
  const link = await newLogin(panel, token, 'escaneada')
  for (let at = 0; at < 50; at++) {
    const headers = { 'x-forwarded-for': `203.0.113.${at % 10}`, 'user-agent': 'LinkScanner' }
    for (const method of ['GET', 'HEAD']) await panel.fetch(`/enlace?t=${link}`, { method, headers })
    expect((await panel.access('/enlace', { enlace: link }, headers)).status).toBe(200)
  }
  expect((await panel.access('/enlace/gastar', { enlace: link, contrasena: admin.password })).status).toBe(
    200,
  )
})
