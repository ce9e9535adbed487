import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { handlers } from '../../handlers/index.ts'
import { BODIES } from '../support/bodies.ts'
import { type Answer, Panel } from '../support/panel.ts'
import { cookieOf, dayFromNow, firstAdmin, newToken, PASSWORD, type SignedIn } from '../support/people.ts'
import { newClient, newCustomer, outcome, ROOMY, settledSite } from './people.ts'
import { count, everything, plant } from './store.ts'

setDefaultTimeout(60_000)

let panel: Panel
let admin: SignedIn
let token: string
let keys = 0

beforeAll(async () => {
  panel = await Panel.start({ env: ROOMY })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
})
afterEach(() => panel.setClock(0))
afterAll(() => panel.stop())

const newKey = () => `key-${++keys}`
const send = (method: string, path: string, key: string, body?: object, bearer = token): Promise<Answer> =>
  panel.api(method, path, { bearer, headers: { 'idempotency-key': key }, ...(body ? { body } : {}) })
const replayed = ({ headers }: Answer) => headers.get('idempotency-replayed')
const audits = (operation: string) =>
  count(panel, 'select count(*) from audit where operation = ? and outcome = ?', operation, 'hecho')

describe('the same key, route and body from the same owner', () => {
  test('gets the first answer again and has one effect', async () => {
    const key = newKey()
    const first = await send('POST', '/clientes', key, { cliente: 'uno' })
    await panel.api('PATCH', '/clientes/uno', { bearer: token, body: { nombre: 'cambiado' } })
    const again = await send('POST', '/clientes', key, { cliente: 'uno' })
    expect([first.status, replayed(first)]).toEqual([201, null])
    expect([again.status, again.body, replayed(again)]).toEqual([201, first.body, 'true'])
    expect(again.headers.get('location')).toBe('/api/clientes/uno')
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  })

  test('has one effect when many arrive at once', async () => {
    const key = newKey()
    const before = audits('POST /planes')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send('POST', '/planes', key, { plan: 'a la vez' })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(answers.filter((one) => replayed(one) === null)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(audits('POST /planes')).toBe(before + 1)
  })

  test('mails once', async () => {
    await newClient(panel, token, 'correo')
    const key = newKey()
    const body = { correo: 'correo@cliente.es' }
    const answers = await Promise.all([1, 2, 3].map(() => send('POST', '/clientes/correo/acceso', key, body)))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    await panel.mailTo('correo@cliente.es')
    expect(count(panel, "select count(*) from mails where recipient = 'correo@cliente.es'")).toBe(1)
  })

  test('is answered again after 23 hours and is new after 25', async () => {
    const key = newKey()
    await send('POST', '/planes', key, { plan: 'un día' })
    await panel.setClock(23 * 3600)
    expect(replayed(await send('POST', '/planes', key, { plan: 'un día' }))).toBe('true')
    await panel.setClock(25 * 3600)
    expect(outcome(await send('POST', '/planes', key, { plan: 'un día' }))).toEqual([409, 'ya_existe'])
  })

  test.each([
    ['PATCH', { nombre: 'n' }],
    ['DELETE', undefined],
  ])('is answered again for %s', async (method, body) => {
    await newClient(panel, token, `metodo-${method.toLowerCase()}`)
    const path = `/clientes/metodo-${method.toLowerCase()}`
    const key = newKey()
    const first = await send(method, path, key, body)
    const again = await send(method, path, key, body)
    expect([again.status, again.body, replayed(again)]).toEqual([first.status, first.body, 'true'])
  })

  test('gets the answer that waited for the work, where the host waits', async () => {
    await newClient(panel, token, 'espera')
    const key = newKey()
    const body = { cliente: 'espera', domain: 'espera.es' }
    const first = await send('POST', '/sitios', key, body)
    expect(await settledSite(panel, token, first.body)).toBe('activo')
    const again = await send('POST', '/sitios', key, body)
    expect([again.body, replayed(again)]).toEqual([first.body, 'true'])
  })

  test('runs the operation again where the first answer was a refusal', async () => {
    const key = newKey()
    expect(outcome(await send('POST', '/clientes/luego/plan', key, { plan: null }))).toEqual([
      404,
      'cliente_no_existe',
    ])
    await newClient(panel, token, 'luego')
    const now = await send('POST', '/clientes/luego/plan', key, { plan: null })
    expect([now.status, replayed(now)]).toEqual([200, null])
  })

  test('gets what was committed where the first answer was lost', async () => {
    const key = newKey()
    const first = await send('POST', '/planes', key, { plan: 'perdida' })
    await panel.kill()
    await panel.up()
    const again = await send('POST', '/planes', key, { plan: 'perdida' })
    expect([again.status, again.body, replayed(again)]).toEqual([201, first.body, 'true'])
  })
})

describe('the same key', () => {
  test('with another body or another route is 409 and has no effect', async () => {
    const key = newKey()
    await send('POST', '/planes', key, { plan: 'primero' })
    for (const [method, path, body] of [
      ['POST', '/planes', { plan: 'segundo' }],
      ['POST', '/clientes', { cliente: 'segundo' }],
      ['POST', '/planes?', { plan: 'segundo' }],
      ['PATCH', '/planes/primero', { sitios: 1 }],
      ['DELETE', '/planes/primero', undefined],
    ] as const) {
      const answer = await send(method, path, key, body)
      expect([method, path, ...outcome(answer)]).toEqual([method, path, 409, 'clave_de_idempotencia_en_uso'])
    }
    expect((await panel.api('GET', '/planes/segundo', { bearer: token })).status).toBe(404)
    expect((await panel.api('GET', '/planes/primero', { bearer: token })).body.sitios).toBeNull()
  })

  test('of another owner is independent', async () => {
    const key = newKey()
    const other = await newToken(panel, admin, 'otro')
    await send('POST', '/planes', key, { plan: 'de uno' })
    expect((await send('POST', '/planes', key, { plan: 'de otro' }, other)).status).toBe(201)
    expect((await send('POST', '/planes', key, { plan: 'de persona' }, admin.bearer)).status).toBe(201)
  })

  test('of a session that was renewed is the same person’s', async () => {
    const key = newKey()
    await send('POST', '/planes', key, { plan: 'renovada' }, admin.bearer)
    const fresh = await panel.access('/renovar', undefined, { cookie: admin.cookie })
    admin.cookie = cookieOf(fresh)
    expect(replayed(await send('POST', '/planes', key, { plan: 'renovada' }, fresh.body.sesion))).toBe('true')
  })
})

describe('what is kept', () => {
  test('is two megabytes of long answers, and an older request is not done again', async () => {
    await newClient(panel, token, 'largo')
    await panel.api('POST', '/zonas', { bearer: token, body: { cliente: 'largo', zona: 'largo.es' } })
    const put = (n: number) => {
      // As long as a record can be, written in escapes of four characters each.
      const valores = Array.from({ length: 13 }, (_, at) =>
        `"v${at}" ${`"${'\\200'.repeat(250)}" `.repeat(16)}`.trim(),
      )
      return send('PUT', `/zonas/largo.es/registros/t${n}/TXT`, `largo-${n}`, { ttl: 300, valores })
    }
    for (let n = 1; n <= 12; n++) expect((await put(n)).status).toBe(200)
    const kept = "select sum(length(cast(body as blob))) from idempotency where key like 'largo-%'"
    expect(count(panel, kept)).toBeWithin(1_000_000, 2 * 1024 * 1024 + 1)
    const changes = audits('PUT /zonas/<zona>/registros/<nombre>/<tipo>')
    expect(outcome(await put(1))).toEqual([409, 'respuesta_olvidada'])
    expect(replayed(await put(12))).toBe('true')
    expect(audits('PUT /zonas/<zona>/registros/<nombre>/<tipo>')).toBe(changes)
  })

  test('is five thousand keys of a customer, who is then told to wait', async () => {
    const { bearer } = await newCustomer(panel, token, 'muchas')
    const rename = (key: string) => send('PATCH', '/yo', key, { idioma: 'es' }, bearer)
    expect((await rename('primera')).status).toBe(200)
    plant(
      panel,
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 4999)
       insert into idempotency select owner, 'k' || i, route, body_hash, status, headers, body, created_at
       from idempotency, n where key = 'primera'`,
    )
    const refused = await rename('ultima')
    expect([...outcome(refused), refused.headers.get('retry-after')]).toEqual([429, 'espera', '3600'])
    expect(replayed(await rename('primera'))).toBe('true')
  })
})

describe('the header', () => {
  test.each(['x'.repeat(65), 'con espacio', 'ñ', '', 'tab\tulador'])('%p is no key: 400', async (key) => {
    const answer = await panel.api('POST', '/planes', {
      bearer: token,
      body: { plan: 'clave mala' },
      headers: { 'idempotency-key': key },
    })
    expect(outcome(answer)).toEqual([400, 'clave_no_admitida'])
    expect(answer.body.detail).toContain('1 to 64 visible characters')
  })

  test('of 64 visible characters is one', async () => {
    expect((await send('POST', '/planes', `!~${'k'.repeat(62)}`, { plan: 'sesenta y cuatro' })).status).toBe(
      201,
    )
  })

  test('is ignored on a read', async () => {
    const key = newKey()
    expect((await send('GET', '/planes', key)).status).toBe(200)
    expect((await send('POST', '/planes', key, { plan: 'tras leer' })).status).toBe(201)
  })

  test('is refused by every operation whose answer holds a secret', async () => {
    const bodies: Record<string, object> = {
      '/tokens': { nombre: 'x', caduca: dayFromNow(5) },
      '/yo/contrasena': { actual: PASSWORD, nueva: 'otra frase larga y rara 9' },
      '/yo/segundo-factor': { contrasena: PASSWORD },
      '/yo/segundo-factor/confirmar': { paso_token: 'x', codigo: '123456' },
      '/yo/codigos-recuperacion': { contrasena: PASSWORD },
      '/yo/llaves-de-acceso/reto': BODIES['POST /yo/llaves-de-acceso/reto'],
      '/llave-de-acceso': BODIES['POST /llave-de-acceso'],
      '/clientes/:cliente/suplantar': { motivo: 'x' },
      '/bases/:base/cuentas': { usuario: 'x' },
      '/avisos': { url: 'https://avisos.example/x', tipos: ['*'] },
      '/entrar': { correo: admin.email, contrasena: PASSWORD },
      '/segundo-factor': { paso_token: 'x', codigo: '123456' },
      '/segundo-factor/inscribir': { paso_token: 'x', codigo: '123456' },
      '/enlace': { enlace: 'x' },
      '/enlace/gastar': { enlace: 'x', contrasena: PASSWORD },
    }
    const inPaths: Record<string, string> = {
      ruta: '%2Fprivado',
      cliente: 'uno',
      base: 'uno_x',
      cuenta: 'uno',
      domain: 'uno.es',
    }
    const secret = handlers.filter((handler) => handler.secret)
    expect(secret.length).toBeGreaterThan(10)
    for (const { method, path, access } of secret) {
      const prefix = access.kind === 'open' ? '/acceso' : '/api'
      const address = path.replace(/:(\w+)/g, (_all, name) => inPaths[name] ?? 'x')
      const answer = await panel.request(method, prefix + address, {
        ...(access.kind === 'open' ? {} : { bearer: admin.bearer }),
        headers: { 'idempotency-key': 'secreta' },
        ...(bodies[path] ? { body: bodies[path] } : {}),
      })
      expect([path, ...outcome(answer)]).toEqual([path, 400, 'clave_no_admitida'])
    }
    expect((await panel.api('GET', '/yo', { bearer: admin.bearer })).body.tokens).toHaveLength(2)
    expect(everything(panel)).not.toContain('secreta')
  })
})

test('what is kept with a key does not let a password be guessed', async () => {
  await newClient(panel, token, 'huella', { correo: 'h@cliente.es' })
  const body = { correo: 'h2@cliente.es', contrasena: PASSWORD }
  const fresh = await panel.access('/renovar', undefined, { cookie: admin.cookie })
  admin.cookie = cookieOf(fresh)
  expect(
    (await send('PUT', '/clientes/huella/correo', 'con-contrasena', body, fresh.body.sesion)).status,
  ).toBe(200)
  const plain = new Bun.CryptoHasher('sha256').update(JSON.stringify(body)).digest()
  // A bare hash of the body could be guessed at offline, far below the cost of Argon2id.
  expect(count(panel, "select count(*) from idempotency where key = 'con-contrasena'")).toBe(1)
  expect(count(panel, 'select count(*) from idempotency where body_hash = ?', plain)).toBe(0)
})

test('answers older than a day are deleted', async () => {
  plant(panel, 'update idempotency set created_at = created_at - 90000000')
  expect((await panel.command('cron', 'caducidad')).status).toBe(0)
  expect(count(panel, 'select count(*) from idempotency')).toBe(0)
})
