import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createBearer } from '../../lib/identity/bearer.ts'
import { encodeBase62 } from '../../lib/secrets/base62.ts'
import { crc32 } from '../../lib/secrets/crc32.ts'
import { newAdmin, newCustomer, outcome, ROOMY } from '../api/people.ts'
import { count, everything, rows } from '../api/store.ts'
import { Panel } from '../support/panel.ts'
import {
  codeOf,
  cookieOf,
  dayFromNow,
  enrol,
  firstAdmin,
  newToken,
  type SignedIn,
} from '../support/people.ts'
import { eventually } from '../support/wait.ts'

const DAY = 86_400
const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))

setDefaultTimeout(60_000)

let panel: Panel
let admin: SignedIn
let token: string
let addresses = 0

beforeAll(async () => {
  panel = await Panel.start({
    env: { ...ROOMY, PANEL_TRUSTED_PROXIES: '127.0.0.1', PANEL_CRON_SECRET: 'canary-cron-secret' },
  })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
})
afterEach(() => panel.setClock(0))
afterAll(() => panel.stop())

/** An address that nobody has struck from. */
const freshAddress = () => `198.51.100.${++addresses}`
const from = (address: string) => ({ 'x-forwarded-for': address })
const ask = (bearer: string, address = freshAddress()) =>
  panel.api('GET', '/conexion', { bearer, headers: from(address) })
const unknown = () => createBearer('token', random).value.reveal()

async function strike(address: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++) expect((await ask(unknown(), address)).status).toBe(401)
}

describe('what is no bearer of ours', () => {
  const forged = (prefix: string) => {
    const body = `${prefix}${'A'.repeat(8)}${encodeBase62(random(32), 43)}`
    return body + encodeBase62(crc32(body), 6)
  }
  test.each([
    ['an unknown token', unknown()],
    ['an unknown session', createBearer('session', random).value.reveal()],
    ['a bad checksum', `${unknown().slice(0, -1)}!`],
    ['another prefix', forged('cpx_')],
    ['a word', 'x'],
    ['50 kB', 'x'.repeat(5000)],
    ['SQL', "'or'1'='1"],
    ['the cron secret', 'canary-cron-secret'],
  ])('%s is 401 and a strike', async (_, bearer) => {
    const address = freshAddress()
    const refused = await ask(bearer, address)
    expect(outcome(refused)).toEqual([401, 'credencial_invalida'])
    expect(refused.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    await strike(address, 9)
    expect(outcome(await ask(bearer, address))).toEqual([429, 'espera'])
  })

  test('the secret of a live token under the id of another is 401', async () => {
    const other = await newToken(panel, admin, 'otro')
    const mixed = token.slice(0, 12) + other.slice(12, 55)
    expect(outcome(await ask(mixed + encodeBase62(crc32(mixed), 6)))).toEqual([401, 'credencial_invalida'])
  })

  test("a token's value under the prefix of a session is 401", async () => {
    const body = `cps_${token.slice(4, 55)}`
    expect(outcome(await ask(body + encodeBase62(crc32(body), 6)))).toEqual([401, 'credencial_invalida'])
  })

  test('secrets of other purposes are 401: link, step, cookie, ids, recovery code, hash', async () => {
    await panel.api('POST', '/clientes', { bearer: token, body: { cliente: 'proposito' } })
    await panel.api('POST', '/clientes/proposito/acceso', { bearer: token, body: { correo: 'p@cliente.es' } })
    const { link } = await panel.mailTo('p@cliente.es')
    const spent = await panel.access('/enlace/gastar', { enlace: link, contrasena: admin.password })
    const [session] = (await panel.api('GET', '/yo/sesiones', { bearer: admin.bearer })).body.datos
    const hash =
      rows<{ hash: Uint8Array }>(panel, 'select hash from tokens limit 1')[0]?.hash ?? new Uint8Array()
    const values = [
      link ?? '',
      spent.body.paso_token,
      admin.cookie.split('=')[1] ?? '',
      session.id,
      admin.recovery[0] ?? '',
    ]
    for (const value of [...values, Buffer.from(hash).toString('hex'), encodeBase62(hash, 43)]) {
      expect(value.length).toBeGreaterThan(5)
      expect(outcome(await ask(value))).toEqual([401, 'credencial_invalida'])
    }
  })
})

describe('strikes', () => {
  test('ten in a minute lock the address for such bearers only, and the lock grows and ends', async () => {
    const address = freshAddress()
    const waits: number[] = []
    let clock = 0
    for (let round = 0; round < 3; round++) {
      await strike(address, 10)
      const refused = await ask(unknown(), address)
      expect(outcome(refused)).toEqual([429, 'espera'])
      const wait = Number(refused.headers.get('retry-after'))
      waits.push(wait)
      expect((await ask(token, address)).status).toBe(200)
      expect((await ask(unknown(), freshAddress())).status).toBe(401)
      clock += wait + 1
      await panel.setClock(clock)
    }
    for (const [i, wait] of waits.entries()) {
      expect(wait).toBeWithin(60 * 2 ** i - 3, 60 * 2 ** i + 1)
    }
    expect((await ask(unknown(), address)).status).toBe(401)
  })

  test('from one IPv6 /64 they count together, from another they do not', async () => {
    for (let i = 0; i < 10; i++) expect((await ask(unknown(), `2001:db8:7:1::${i}`)).status).toBe(401)
    expect((await ask(unknown(), '2001:db8:7:1:ffff::1')).status).toBe(429)
    expect((await ask(unknown(), '2001:db8:7:2::1')).status).toBe(401)
    expect((await ask(token, '2001:db8:7:1::1')).status).toBe(200)
  })

  test('nine in each minute lock nothing', async () => {
    const address = freshAddress()
    await strike(address, 9)
    await panel.setClock(61)
    await strike(address, 9)
  })

  test('each is one line of the log, with the address and never the value', async () => {
    const address = freshAddress()
    const value = unknown()
    await ask(value, address)
    const line = await eventually(
      async () => panel.log.split('\n').find((one) => one.includes(address)) ?? null,
      'the line',
    )
    expect(JSON.parse(line)).toEqual({
      t: expect.any(String),
      level: 'warn',
      event: 'bearer refused',
      address,
    })
    expect(panel.log).not.toContain(value)
  })
})

describe('a real bearer that is dead', () => {
  test('an expired token says so, is never a strike, and leaves its siblings working', async () => {
    const address = freshAddress()
    const made = await panel.api('POST', '/tokens', {
      bearer: admin.bearer,
      body: { nombre: 'corto', caduca: dayFromNow(1) },
    })
    await panel.setClock(2 * DAY)
    for (let i = 0; i < 20; i++) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => ask(made.body.token, address)))
      for (const answer of answers) expect(outcome(answer)).toEqual([401, 'token_caducado'])
    }
    expect((await ask(token, address)).status).toBe(200)
    expect(outcome(await ask(unknown(), address))).toEqual([401, 'credencial_invalida'])
    const struck = () => panel.log.split('\n').filter((line) => line.includes(address)).length
    expect(await eventually(async () => struck() || null, 'the one strike')).toBe(1)
  })

  test('an expired token says so from an address that is locked out', async () => {
    const address = freshAddress()
    await panel.setClock(300 * DAY)
    await strike(address, 10)
    expect((await ask(unknown(), address)).status).toBe(429)
    expect(outcome(await ask(token, address))).toEqual([401, 'token_caducado'])
  })

  test('a token works through its last UTC day and not a second longer', async () => {
    const last = dayFromNow(3)
    const made = await panel.api('POST', '/tokens', {
      bearer: admin.bearer,
      body: { nombre: 'día', caduca: last },
    })
    const midnight = Date.parse(`${last}T00:00:00Z`) / 1000 + DAY
    await panel.setClock(Math.floor(midnight - Date.now() / 1000) - 5)
    expect((await ask(made.body.token)).status).toBe(200)
    await panel.setClock(Math.ceil(midnight - Date.now() / 1000) + 1)
    expect(outcome(await ask(made.body.token))).toEqual([401, 'token_caducado'])
  })

  test('a revoked token says so at the next request, expired or not', async () => {
    const made = await panel.api('POST', '/tokens', {
      bearer: admin.bearer,
      body: { nombre: 'revocado', caduca: dayFromNow(9) },
    })
    expect((await ask(made.body.token)).status).toBe(200)
    const gone = await panel.api('DELETE', `/tokens/${made.body.id}`, { bearer: token })
    expect(gone.body).toMatchObject({ estado: 'revocado', revocado: expect.any(String) })
    const address = freshAddress()
    for (let i = 0; i < 15; i++)
      expect(outcome(await ask(made.body.token, address))).toEqual([401, 'token_revocado'])
    await panel.setClock(20 * DAY)
    expect(outcome(await ask(made.body.token))).toEqual([401, 'token_revocado'])
    expect(count(panel, 'select count(*) from tokens where id = ?', made.body.id)).toBe(1)
  })

  test('a session lives fifteen minutes, then says so and is never a strike', async () => {
    const other = await newAdmin(panel, admin, 'sesion@ejemplo.es')
    const address = freshAddress()
    await panel.setClock(14 * 60 + 50)
    expect((await ask(other.bearer, address)).status).toBe(200)
    await panel.setClock(15 * 60 + 5)
    for (let i = 0; i < 15; i++)
      expect(outcome(await ask(other.bearer, address))).toEqual([401, 'sesion_caducada'])
    expect((await ask(token, address)).status).toBe(200)
  })

  test('a session that was ended says so, and is never a strike', async () => {
    const customer = await newCustomer(panel, token, 'terminada')
    await panel.access('/salir', undefined, { cookie: customer.cookie })
    const address = freshAddress()
    for (let i = 0; i < 15; i++)
      expect(outcome(await ask(customer.bearer, address))).toEqual([401, 'sesion_terminada'])
  })

  test('every 401 carries the challenge and the shape of a problem', async () => {
    await panel.setClock(400 * DAY)
    for (const bearer of [token, unknown(), admin.bearer]) {
      const { headers, body } = await ask(bearer)
      expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
      expect(body).toMatchObject({
        status: 401,
        title: 'Unauthorized',
        peticion: headers.get('x-request-id'),
      })
    }
  })
})

describe('a good bearer', () => {
  test('is told when and from where it was last used, to the minute', async () => {
    const made = await panel.api('POST', '/tokens', {
      bearer: admin.bearer,
      body: { nombre: 'uso', caduca: dayFromNow(9) },
    })
    expect(made.body.ultimo_uso).toBeNull()
    await ask(made.body.token, '203.0.113.77')
    const seen = await eventually(async () => {
      const page = await panel.api('GET', '/tokens?buscar=uso', { bearer: token })
      return page.body.datos[0].ultimo_uso
    }, 'the last use')
    expect(seen).toEqual({ cuando: expect.any(String), desde: '203.0.113.77' })
  })

  test.each(['Bearer', 'bearer', 'BEARER'])('may be announced as %p', async (scheme) => {
    const response = await panel.fetch('/api/conexion', { headers: { authorization: `${scheme} ${token}` } })
    expect(response.status).toBe(200)
  })

  test('a cookie beside it changes nothing', async () => {
    const { body } = await panel.api('GET', '/conexion', { bearer: token, headers: { cookie: admin.cookie } })
    expect(body.credencial.tipo).toBe('token')
  })

  test('a session is told as one, with its end', async () => {
    const fresh = await panel.access('/renovar', undefined, { cookie: admin.cookie })
    admin.cookie = cookieOf(fresh)
    const { body } = await ask(fresh.body.sesion)
    expect(body.credencial).toEqual({
      tipo: 'sesion',
      nombre: admin.email,
      rol: 'admin',
      caduca: fresh.body.caduca,
    })
  })

  test('is nowhere in the database or the log, nor is a session, a cookie, a link or a recovery code', async () => {
    const secrets = [
      token,
      admin.bearer,
      admin.cookie.split('=')[1] ?? '',
      admin.recovery[0] ?? '',
      admin.totp,
      admin.password,
    ]
    const stored = everything(panel) + panel.log
    expect(stored).toContain(token.slice(4, 12))
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(9)
      expect(stored).not.toContain(secret)
      expect(stored).not.toContain(secret.slice(12, 40) || secret)
    }
  })
})

test('a code of the first factor step opens nothing but its own step', async () => {
  const first = await panel.access('/entrar', { correo: admin.email, contrasena: admin.password })
  expect(outcome(await ask(first.body.paso_token))).toEqual([401, 'credencial_invalida'])
  const wrongStep = await panel.access('/segundo-factor/inscribir', {
    paso_token: first.body.paso_token,
    codigo: await codeOf(panel, admin.totp, 1),
  })
  expect(outcome(wrongStep)).toEqual([401, 'paso_invalido'])
})

test('a new admin has a session and no token; a second enrolment of the same link is refused', async () => {
  const other = await newAdmin(panel, admin, 'nuevo@ejemplo.es')
  const me = await panel.api('GET', '/yo', { bearer: other.bearer })
  expect(me.body).toMatchObject({
    rol: 'admin',
    cliente: null,
    tokens: [],
    segundo_factor: true,
    codigos_recuperacion: 10,
  })
  const mail = await panel.mailTo('nuevo@ejemplo.es')
  await expect(enrol(panel, mail.link ?? '', 'nuevo@ejemplo.es')).rejects.toThrow('enlace_gastado')
})
