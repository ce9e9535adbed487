import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Panel } from '../support/panel.ts'
import { codeOf, enrol, newToken, type SignedIn } from '../support/people.ts'
import { newCustomer, outcome } from './people.ts'
import { rows } from './store.ts'

setDefaultTimeout(60_000)

let panel: Panel
let admin: SignedIn
/** Outlives a session, whose fifteen minutes are over before the last test. */
let standing: string
let minutes = 0

beforeAll(async () => {
  panel = await Panel.start({
    env: {
      PANEL_LIMITE_PETICIONES: '12',
      PANEL_LIMITE_ESCRITURAS: '5',
      PANEL_LIMITE_ESCRITURAS_DIA: '8',
      PANEL_LIMITE_ACCESO: '6',
      PANEL_TRUSTED_PROXIES: '127.0.0.1',
      PANEL_CRON_SECRET: 'secreto-del-cron',
    },
  })
  admin = await enrol(panel, panel.firstLink?.split('#')[1] ?? '', 'admin@ejemplo.es', {
    correo: 'admin@ejemplo.es',
  })
  standing = await newToken(panel, admin, 'fija')
})
// Each test has a minute of its own after a quiet one, so that none uses another's budget.
afterEach(async () => {
  minutes += 120
  await toMinute(minutes)
})
afterAll(() => panel.stop())

/** The start of a minute of the panel's clock, with most of it left. */
async function toMinute(seconds: number): Promise<void> {
  const into = Math.floor(Date.now() / 1000) % 60
  await panel.setClock(seconds - into + 1)
}

const read = (bearer: string) => panel.api('GET', '/conexion', { bearer })

describe('a bearer', () => {
  test('is told its budget, what is left of it and when it is full again', async () => {
    await toMinute(0)
    const token = await newToken(panel, admin, 'cuenta')
    const first = await read(token)
    expect(first.headers.get('ratelimit-policy')).toBe('"peticiones";q=12;w=60')
    expect(first.headers.get('ratelimit')).toMatch(/^"peticiones";r=11;t=[1-6]?[0-9]$/)
    expect((await read(token)).headers.get('ratelimit')).toStartWith('"peticiones";r=10;')
  })

  test('beyond its budget gets 429 with Retry-After for a minute, while others are served', async () => {
    const token = await newToken(panel, admin, 'mucho')
    for (let i = 0; i < 12; i++) expect((await read(token)).status).toBe(200)
    const refused = await read(token)
    expect(outcome(refused)).toEqual([429, 'espera'])
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61)
    expect(refused.headers.get('ratelimit-policy')).toBe('"peticiones";q=12;w=60')
    expect(refused.headers.get('ratelimit')).toStartWith('"peticiones";r=0;')
    // Refusals beyond a budget are not logged, or anybody could fill the log.
    expect(panel.log).not.toContain(refused.body.peticion)
    expect((await read(admin.bearer)).status).toBe(200)
    minutes += 120
    await toMinute(minutes)
    expect((await read(token)).status).toBe(200)
  })

  test('has a smaller budget for writes, refused ones included, and may read beyond it', async () => {
    const token = await newToken(panel, admin, 'escribe')
    const write = () => panel.api('POST', '/planes', { bearer: token, body: {} })
    const first = await write()
    expect(first.headers.get('ratelimit-policy')).toBe('"escrituras";q=5;w=60')
    for (let i = 1; i < 5; i++) expect((await write()).status).toBe(422)
    const refused = await write()
    expect(outcome(refused)).toEqual([429, 'espera'])
    expect(refused.headers.get('ratelimit')).toStartWith('"escrituras";r=0;')
    expect((await read(token)).status).toBe(200)
  })

  test('gets no second budget when the clock’s minute ends, for requests, writes or signing in', async () => {
    const token = await newToken(panel, admin, 'borde')
    const write = () => panel.api('POST', '/planes', { bearer: token, body: {} })
    const ask = () => panel.access('/enlace', { enlace: 'x' }, { 'x-forwarded-for': '203.0.113.77' })
    // Two seconds before the minute is over, and just after.
    await panel.setClock(minutes + 120 - (Math.floor(Date.now() / 1000) % 60) - 3)
    for (let i = 0; i < 5; i++) expect((await write()).status).toBe(422)
    for (let i = 0; i < 7; i++) expect((await read(token)).status).toBe(200)
    for (let i = 0; i < 6; i++) expect((await ask()).status).toBe(404)
    minutes += 120
    await toMinute(minutes)
    expect(outcome(await write())).toEqual([429, 'espera'])
    expect(outcome(await read(token))).toEqual([429, 'espera'])
    const refused = await ask()
    expect(outcome(refused)).toEqual([429, 'espera'])
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(40, 61)
  })

  test('shares its budget with no other session of the same person', async () => {
    const token = await newToken(panel, admin, 'otra')
    for (let i = 0; i < 13; i++) await read(token)
    expect((await read(token)).status).toBe(429)
    expect((await read(admin.bearer)).status).toBe(200)
  })
})

describe('the sessions of a client', () => {
  test('have a budget of writes for a day together, sign-ins among them, and may read beyond it', async () => {
    const token = await newToken(panel, admin, 'altas')
    const ana = await newCustomer(panel, token, 'ana')
    const { paso_token } = (await panel.access('/entrar', { correo: ana.email, contrasena: ana.password }))
      .body
    const codigo = await codeOf(panel, ana.totp, 1)
    const again = (await panel.access('/segundo-factor', { paso_token, codigo })).body.sesion
    const write = (bearer: string) => panel.api('PATCH', '/yo', { bearer, body: { idioma: 'xx' } })
    for (let i = 0; i < 4; i++) expect((await write(ana.bearer)).status).toBe(422)
    for (let i = 0; i < 3; i++) expect((await write(again)).status).toBe(422)
    const refused = await write(again)
    expect(outcome(refused)).toEqual([429, 'espera'])
    expect(refused.headers.get('ratelimit-policy')).toBe('"escrituras-dia";q=8;w=86400')
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(86_000, 86_401)
    expect((await read(again)).status).toBe(200)
    // Tokens provision for everybody, and have no such budget.
    minutes += 120
    await toMinute(minutes)
    for (let i = 0; i < 3; i++) expect(outcome(await write(ana.bearer))).toEqual([429, 'espera'])
    const signIn = () => panel.access('/entrar', { correo: ana.email, contrasena: ana.password })
    expect(outcome(await signIn())).toEqual([429, 'espera'])
    for (let i = 0; i < 5; i++)
      expect((await panel.api('POST', '/planes', { bearer: token, body: {} })).status).toBe(422)
  })
})

describe('signing in', () => {
  const ask = (address: string) => panel.access('/enlace', { enlace: 'x' }, { 'x-forwarded-for': address })
  test('has a budget by address, told in the headers', async () => {
    const first = await ask('203.0.113.1')
    expect(first.headers.get('ratelimit-policy')).toBe('"acceso";q=6;w=60')
    for (let i = 1; i < 6; i++) expect((await ask('203.0.113.1')).status).toBe(404)
    const refused = await ask('203.0.113.1')
    expect(outcome(refused)).toEqual([429, 'espera'])
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61)
    expect(refused.headers.get('ratelimit')).toStartWith('"acceso";r=0;')
    expect((await ask('203.0.113.2')).status).toBe(404)
  })

  test('counts an IPv6 network as one address', async () => {
    for (let i = 0; i < 6; i++) await ask(`2001:db8::${i}`)
    expect((await ask('2001:db8::abcd')).status).toBe(429)
    expect((await ask('2001:db8:0:1::1')).status).toBe(404)
  })

  test('beyond its budget does not limit bearers from that address', async () => {
    for (let i = 0; i < 7; i++) await ask('127.0.0.1')
    expect((await read(standing)).status).toBe(200)
  })

  test('trusts the nearest proxy only, since anybody can write the left end of X-Forwarded-For', async () => {
    for (let i = 0; i < 6; i++) await ask(`192.0.2.${i}, 203.0.113.9`)
    expect((await ask('192.0.2.99, 203.0.113.9')).status).toBe(429)
  })
})

describe('what anybody can ask for', () => {
  test('leaves 500 rows in the audit trail within an hour, and one each where it is about a login', async () => {
    const ask = (path: string, body: object, n: number) =>
      panel.access(path, body, { 'x-forwarded-for': `198.51.${100 + (n >> 8)}.${n & 255}` })
    const trail = () => {
      const found = 'select count(*) as n, count(target) as known from audit where actor_kind = ?'
      return rows<{ n: number; known: number }>(panel, found, 'anonimo')[0]
    }
    const before = trail()
    for (let round = 0; round < 12; round++)
      await Promise.all(
        Array.from({ length: 50 }, async (_, n) => {
          const { status } = await ask('/olvido', { correo: `nadie${n}@ejemplo.es` }, 50 * round + n)
          expect(status).toBe(202)
        }),
      )
    expect((trail()?.n ?? 0) - (before?.n ?? 0)).toBe(500)
    const customer = await newCustomer(panel, standing, 'olvidadiza')
    const since = trail()
    for (const correo of [customer.email, 'nadie@ejemplo.es'])
      expect((await ask('/olvido', { correo }, 1000)).status).toBe(202)
    expect(trail()).toEqual({ n: (since?.n ?? 0) + 1, known: (since?.known ?? 0) + 1 })
  })
})

describe('the cron by request', () => {
  test('logs wrong secrets as an attack, and the right one still works from that address', async () => {
    const from = (secret: string) =>
      panel.fetch('/cron/caducidad', {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'x-forwarded-for': '203.0.113.200' },
      })
    for (let i = 0; i < 10; i++) expect((await from(`adivinado-${i}`)).status).toBe(401)
    const refused = await from('adivinado-10')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61)
    expect((await from('secreto-del-cron')).status).toBe(200)
    const told = panel.log.split('\n').filter((line) => line.includes('203.0.113.200'))
    expect(told).toHaveLength(10)
    expect(panel.log).not.toContain('adivinado')
  })

  const run = (name: string, secret: string | null) =>
    panel.fetch(`/cron/${name}`, {
      method: 'POST',
      headers: secret === null ? {} : { authorization: `Bearer ${secret}` },
    })
  test('runs a scheduled handler with the secret, and nothing without it', async () => {
    const answer = await run('caducidad', 'secreto-del-cron')
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ tarea: 'caducidad' })
    for (const secret of [null, 'x', 'secreto-del-cro', admin.bearer]) {
      expect((await run('caducidad', secret)).status).toBe(401)
    }
    expect((await run('nada', 'secreto-del-cron')).status).toBe(404)
    expect(
      (await panel.fetch('/cron/caducidad', { headers: { authorization: 'Bearer secreto-del-cron' } }))
        .status,
    ).toBe(405)
  })
})
