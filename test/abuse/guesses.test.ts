import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { newCustomer, newLogin, outcome, ROOMY } from '../api/people.ts'
import { plant } from '../api/store.ts'
import { Panel } from '../support/panel.ts'
import { codeOf, enrol, firstAdmin, newToken, PASSWORD, type SignedIn } from '../support/people.ts'

setDefaultTimeout(60_000)

let panel: Panel
let admin: SignedIn
let token: string

beforeAll(async () => {
  panel = await Panel.start({ env: { ...ROOMY, PANEL_TRUSTED_PROXIES: '127.0.0.1' } })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
})
afterEach(() => panel.setClock(0))
afterAll(() => panel.stop())

type From = { place: string; cookie?: string }
const WRONG = 'no es esta frase'
const enter = (correo: string, contrasena: string, { place, cookie }: From) =>
  panel.access('/entrar', { correo, contrasena }, { 'x-forwarded-for': place, ...(cookie ? { cookie } : {}) })

/** The cookie by which a browser is known in which this person has signed in. */
async function deviceOf({ email, totp, password }: SignedIn, steps = 1): Promise<string> {
  const { body } = await enter(email, password, { place: '198.51.100.200' })
  const codigo = await codeOf(panel, totp, steps)
  const { headers } = await panel.access('/segundo-factor', { paso_token: body.paso_token, codigo })
  const [, device = ''] = headers.getSetCookie()
  expect(device).toMatch(
    /^__Host-equipo=[0-9A-Za-z.]+; Path=\/; Secure; HttpOnly; SameSite=Strict; Max-Age=31536000$/,
  )
  return device.split(';')[0] ?? ''
}

test('six wrong passwords from one place keep that place waiting, and nobody else', async () => {
  const person = await newCustomer(panel, token, 'conocida')
  for (let i = 0; i < 6; i++)
    expect((await enter(person.email, WRONG, { place: '203.0.113.7' })).status).toBe(401)
  expect(outcome(await enter(person.email, PASSWORD, { place: '203.0.113.7' }))).toEqual([429, 'espera'])
  expect((await enter(person.email, PASSWORD, { place: '198.51.100.7' })).status).toBe(200)
  // A whole IPv6 network is one place.
  for (let i = 0; i < 6; i++) await enter(person.email, WRONG, { place: `2001:db8:0:1::${i}` })
  expect(outcome(await enter(person.email, PASSWORD, { place: '2001:db8:0:1::99' }))).toEqual([429, 'espera'])
})

test('guesses from many places keep strangers waiting, but not a browser in which the person has signed in', async () => {
  const person = await newCustomer(panel, token, 'asediada')
  const cookie = await deviceOf(person)
  const guesses = Array.from({ length: 30 }, (_, i) => ({ place: `203.0.113.${100 + i}` }))
  const answers = await Promise.all(guesses.map((from) => enter(person.email, WRONG, from)))
  expect(answers.map(({ status }) => status)).toEqual(guesses.map(() => 401))
  expect(outcome(await enter(person.email, PASSWORD, { place: '198.51.100.50' }))).toEqual([429, 'espera'])
  expect((await enter(person.email, PASSWORD, { place: '203.0.113.100', cookie })).status).toBe(200)
})

test('a known browser’s own guesses keep it waiting, and another account’s cookie is worth nothing', async () => {
  const person = await newCustomer(panel, token, 'curiosa')
  const other = await newCustomer(panel, token, 'ajena')
  const cookie = await deviceOf(person)
  for (let i = 0; i < 6; i++) await enter(other.email, WRONG, { place: '203.0.113.20' })
  expect(outcome(await enter(other.email, PASSWORD, { place: '203.0.113.20', cookie }))).toEqual([
    429,
    'espera',
  ])
  for (let i = 0; i < 6; i++)
    expect((await enter(person.email, WRONG, { place: `198.51.100.${60 + i}`, cookie })).status).toBe(401)
  expect(outcome(await enter(person.email, PASSWORD, { place: '198.51.100.80', cookie }))).toEqual([
    429,
    'espera',
  ])
  expect((await enter(person.email, PASSWORD, { place: '198.51.100.81' })).status).toBe(200)
})

test('guesses of strangers stand in the way of nothing inside a live session', async () => {
  const person = await newCustomer(panel, token, 'dentro')
  for (let i = 0; i < 7; i++) await enter(person.email, WRONG, { place: `203.0.113.${i}` })
  const made = await panel.api('POST', '/yo/codigos-recuperacion', {
    bearer: person.bearer,
    body: { contrasena: PASSWORD },
  })
  expect(made.status).toBe(200)
})

test('a customer’s browser is no way round the wait at an address that an admin shares', async () => {
  const own = 'otra frase larga y rara 8'
  const link = await newLogin(panel, token, 'comparte')
  const person = await enrol(panel, link, 'comparte@cliente.es', {}, own)
  const cookie = await deviceOf(person)
  plant(panel, 'update persons set email = ? where email = ?', admin.email, person.email)
  const guesses = Array.from({ length: 30 }, (_, i) => ({ place: `203.0.113.${200 + i}` }))
  await Promise.all(guesses.map((from) => enter(admin.email, WRONG, from)))
  const at = { place: '198.51.100.70' }
  expect(outcome(await enter(admin.email, admin.password, at))).toEqual([429, 'espera'])
  const tried = await enter(admin.email, admin.password, { ...at, cookie })
  expect(outcome(tried)).toEqual([401, 'credenciales_incorrectas'])
  expect((await enter(admin.email, own, { ...at, cookie })).status).toBe(200)
})

test('twenty customers’ logins under an admin’s address do not hide the admin', async () => {
  // The wait that the test before began is over.
  await panel.setClock(120)
  for (let i = 0; i < 20; i++) {
    const person = await newCustomer(panel, token, `tapa-${i}`)
    plant(panel, 'update persons set email = ? where email = ?', admin.email, person.email)
  }
  // They share the admin's password: `elegir` would name these alone.
  const { body } = await enter(admin.email, PASSWORD, { place: '198.51.100.90' })
  expect(body.paso).toBe('segundo_factor')
})
