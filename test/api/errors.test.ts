import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { eventually } from '../support/wait.ts'
import { newClient, outcome, ROOMY, snapshot } from './people.ts'
import { rows } from './store.ts'

setDefaultTimeout(60_000)

let panel: Panel
let admin: SignedIn
let token: string

beforeAll(async () => {
  panel = await Panel.start({ env: ROOMY })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  await newClient(panel, token, 'acme', { referencia: 'ref:1', nombre: 'Acme' })
  await panel.api('POST', '/planes', { bearer: token, body: { plan: 'basico' } })
})
afterAll(() => panel.stop())

describe('an error', () => {
  test('is a problem document with the documented shape', async () => {
    const { status, headers, body } = await panel.api('POST', '/clientes', {
      bearer: token,
      body: { cliente: '-x', nada: 1 },
    })
    expect(status).toBe(422)
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      type: `${panel.origin}/docs/errores#datos_invalidos`,
      title: 'Unprocessable Content',
      status: 422,
      detail: 'Some fields are not valid.',
      codigo: 'datos_invalidos',
      campos: [
        { campo: 'cliente', codigo: 'cliente_invalido', mensaje: expect.stringContaining('63') },
        { campo: 'nada', codigo: 'campo_desconocido', mensaje: 'There is no such field here.' },
      ],
      peticion: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
    })
    expect(headers.get('x-request-id')).toBe(body.peticion)
  })

  test.each([
    ['es', 'es', 'Algunos campos no son válidos.'],
    ['es-AR,en;q=0.5', 'es', 'Algunos campos no son válidos.'],
    ['en', 'en', 'Some fields are not valid.'],
    ['fr', 'en', 'Some fields are not valid.'],
  ])('speaks as Accept-Language %p prefers: %s', async (accept, language, detail) => {
    const { body, headers } = await panel.api('POST', '/clientes', {
      bearer: token,
      body: {},
      headers: { 'accept-language': accept },
    })
    expect([body.detail, headers.get('content-language'), body.title]).toEqual([
      detail,
      language,
      'Unprocessable Content',
    ])
    expect(body.campos).toEqual([
      {
        campo: 'cliente',
        codigo: 'obligatorio',
        mensaje: language === 'es' ? 'Este campo es obligatorio.' : 'This field is required.',
      },
    ])
  })

  test('has `campos` only when fields were refused', async () => {
    for (const [method, path] of [
      ['GET', '/clientes/nadie'],
      ['GET', '/nada'],
      ['PUT', '/clientes'],
      ['POST', '/tokens'],
    ] as const) {
      expect((await panel.api(method, path, { bearer: token })).body).not.toHaveProperty('campos')
    }
  })

  test('is found in the log by its request id', async () => {
    const { body } = await panel.api('GET', '/clientes/nadie', { bearer: token })
    const line = await eventually(
      async () => panel.log.split('\n').find((one) => one.includes(body.peticion)) ?? null,
      'the line',
    )
    expect(JSON.parse(line)).toMatchObject({ request: body.peticion, code: 'cliente_no_existe' })
  })

  test('of a name in the path is 404, of the same name in a body 409', async () => {
    expect(outcome(await panel.api('GET', '/clientes/nadie', { bearer: token }))).toEqual([
      404,
      'cliente_no_existe',
    ])
    expect(
      outcome(
        await panel.api('POST', '/sitios', { bearer: token, body: { cliente: 'nadie', domain: 'x.es' } }),
      ),
    ).toEqual([409, 'cliente_no_existe'])
    expect(outcome(await panel.api('GET', '/planes/ninguno', { bearer: token }))).toEqual([
      404,
      'plan_no_existe',
    ])
    expect(
      outcome(await panel.api('POST', '/clientes/acme/plan', { bearer: token, body: { plan: 'ninguno' } })),
    ).toEqual([409, 'plan_no_existe'])
  })

  test.each([
    ['GET', '/clientes/nadie', 'cliente_no_existe'],
    ['GET', '/sitios/nada.es', 'sitio_no_existe'],
    ['GET', '/zonas/nada.es', 'zona_no_existe'],
    ['GET', '/planes/nada', 'plan_no_existe'],
    ['DELETE', '/tokens/tok_x', 'token_no_existe'],
    ['GET', '/nodos/nada', 'nodo_no_existe'],
    ['GET', '/nodos/nada/historial', 'nodo_no_existe'],
    ['POST', '/tareas/job_x/reintentar', 'tarea_no_existe'],
    ['GET', '/clientes/acme/acceso', 'acceso_no_existe'],
    ['GET', '/nada', 'no_encontrado'],
    ['GET', '/', 'no_encontrado'],
    ['GET', '/clientes/acme/nada', 'no_encontrado'],
  ])('%s %s is 404 %s', async (method, path, codigo) => {
    expect(outcome(await panel.api(method, path, { bearer: token }))).toEqual([404, codigo])
  })

  test.each([
    '/clientes/',
    '/clientes//',
    '/clientes//plan',
    '/clientes/acme/',
    '/clientes/acme/uso/',
    '/planes/',
    '/zonas//registros',
    '/conexion/',
  ])('an empty segment as in %s names nothing: 404, also for other methods', async (path) => {
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
      const answer = await panel.api(method, path, {
        bearer: token,
        ...(method === 'GET' ? {} : { body: {} }),
      })
      expect(outcome(answer)).toEqual([404, 'no_encontrado'])
      const gate = await panel.fetch(`/api${path}`, { method })
      expect([gate.status, await gate.text(), gate.headers.get('x-request-id')]).toEqual([404, '', null])
    }
  })

  test('of an unknown method names the methods that there are', async () => {
    const { status, headers, body } = await panel.api('PUT', '/clientes/acme', { bearer: token })
    expect([status, body.codigo]).toEqual([405, 'metodo_no_admitido'])
    expect((headers.get('allow') ?? '').split(', ').sort()).toEqual(['DELETE', 'GET', 'PATCH'])
  })

  test('never shows SQL, a path, a stack or what was submitted', async () => {
    const bad: [string, string, object][] = [
      ['POST', '/clientes', { cliente: "x'; drop table clients--canary" }],
      ['PUT', '/altas/r', { correo: 'canary\r\n@x.es', domain: 'canary..es' }],
      ['POST', '/planes', { plan: 'canary<' }],
    ]
    for (const [method, path, body] of bad) {
      const text = JSON.stringify((await panel.api(method, path, { bearer: token, body })).body)
      expect(text).not.toMatch(/canary|select |insert |sqlite|node_modules|\.ts:|\/tmp\//i)
    }
  })
})

describe('a body', () => {
  const send = (raw: string, type: string | null) =>
    panel.api('POST', '/planes', {
      bearer: token,
      raw,
      headers: type === null ? {} : { 'content-type': type },
    })
  test.each([
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    ['multipart/form-data; boundary=x', 415],
    ['application/json-patch+json', 415],
    ['application/jsonx', 415],
  ])('of type %p is %p', async (type, status) => {
    expect((await send('{"plan":"tipo"}', type)).status).toBe(status)
  })

  test.each([
    ['application/json', '{"plan":"tipo-1"}'],
    ['application/json; charset=utf-8', '{"plan":"tipo-2"}'],
    ['APPLICATION/JSON', '{"plan":"tipo-3"}'],
  ])('of type %p is taken', async (type, raw) => {
    expect((await send(raw, type)).status).toBe(201)
  })

  test.each(['', '{', '{"plan":"a"} x', '{"plan":"a"}{"plan":"b"}', "{'plan':1}", '\uFEFF{"plan":"a"}'])(
    '%p is 400',
    async (raw) => {
      expect(outcome(await send(raw, 'application/json'))).toEqual([400, 'json_invalido'])
    },
  )

  test.each(['{"plan":"a","plan":"a"}', '{"plan":"a","sitios":1,"\\u0070lan":"b"}', '{"x":[{"y":1,"y":2}]}'])(
    '%p, with a key given twice, is 400 and tells where',
    async (raw) => {
      const answer = await send(raw, 'application/json')
      expect(outcome(answer)).toEqual([400, 'json_invalido'])
      expect(answer.body.posicion).toBe(raw.search(/"(plan|\\u0070lan|y)":("[ab]"|2)[}\]]/))
    },
  )

  test.each([
    ['POST', '/planes'],
    ['POST', '/clientes/acme/suspender'],
    ['POST', '/clientes/acme/activar'],
    ['PATCH', '/clientes/acme'],
    ['DELETE', '/planes/nada'],
  ])('of %s %s that is a list where an object or nothing is due is 422', async (method, path) => {
    const answer = await panel.api(method, path, { bearer: token, body: [] })
    expect(outcome(answer)).toEqual([422, 'datos_invalidos'])
    expect(answer.body.campos).toMatchObject([{ campo: '', codigo: 'tipo_incorrecto' }])
  })

  test('of twenty levels is read, and one of twenty-one is refused', async () => {
    const deep = (n: number) => `{"plan":${'['.repeat(n - 1)}${']'.repeat(n - 1)}}`
    expect((await send(deep(20), 'application/json')).status).toBe(422)
    expect((await send(deep(21), 'application/json')).status).toBe(400)
  })

  test('tells absent, null and empty apart, and a misspelt field is never lost', async () => {
    const patch = async (body: Json) => panel.api('PATCH', '/clientes/acme', { bearer: token, body })
    expect((await patch({})).body.nombre).toBe('Acme')
    expect(outcome(await patch({ nombre: '' }))).toEqual([422, 'datos_invalidos'])
    expect(outcome(await patch({ nombbre: 'Otra' }))).toEqual([422, 'datos_invalidos'])
    expect(outcome(await patch({ nombre: 'Otra', nombbre: 'Otra' }))).toEqual([422, 'datos_invalidos'])
    expect((await patch({})).body.nombre).toBe('Acme')
    expect((await patch({ nombre: null })).body).toMatchObject({ nombre: null, referencia: 'ref:1' })
    expect((await patch({ nombre: 'Acme' })).body.nombre).toBe('Acme')
  })

  test('with a field of the wrong kind names the field and changes nothing', async () => {
    const before = await snapshot(panel, token)
    for (const correo of [
      ['a@x.es'],
      { a: 1 },
      'a@x.es, b@x.es',
      'a@x.es\r\nBcc: b@x.es',
      `${'a'.repeat(10_000)}@x.es`,
      7,
      true,
    ]) {
      const { status, body } = await panel.api('PUT', '/altas/r2', {
        bearer: token,
        body: { correo, domain: 'ok.es' },
      })
      expect([status, body.campos[0].campo]).toEqual([422, 'correo'])
    }
    expect(await snapshot(panel, token)).toBe(before)
    expect(rows(panel, 'select id from mails')).toEqual([])
  })

  test.each([
    ['POST', '/clientes/acme/acceso', { correo: 'a@x.es', contrasena: 'x' }],
    ['POST', '/clientes/acme/acceso', { correo: 'a@x.es', totp: 'x' }],
    ['POST', '/clientes/acme/acceso', { correo: 'a@x.es', verificado: true }],
    ['PUT', '/altas/r3', { correo: 'a@x.es', domain: 'ok.es', contrasena: 'x' }],
    ['POST', '/clientes', { cliente: 'x', estado: 'suspendido' }],
    ['POST', '/clientes', { cliente: 'x', creado_por: 'token' }],
    ['POST', '/tokens', { nombre: 'x', caduca: '2027-01-01', token: 'x' }],
  ])('%s %s has no place for %j', async (method, path, body) => {
    const bearer = path === '/tokens' ? admin.bearer : token
    const answer = await panel.api(method, path, { bearer, body })
    expect(answer.body.campos).toEqual([expect.objectContaining({ codigo: 'campo_desconocido' })])
  })
})

describe('a query', () => {
  test.each(['?nada=1', '?limite=5&limite=6', '?estado=raro', '?desde=', '?Limite=5'])(
    '%p is 422',
    async (query) => {
      expect(outcome(await panel.api('GET', `/clientes${query}`, { bearer: token }))).toEqual([
        422,
        'datos_invalidos',
      ])
    },
  )
  test('on an operation without one is 422', async () => {
    expect(outcome(await panel.api('POST', '/clientes/acme/activar?x=1', { bearer: token }))).toEqual([
      422,
      'datos_invalidos',
    ])
  })
})

describe('every answer', () => {
  test('forbids caches to keep it and browsers to guess its type', async () => {
    for (const answer of [
      await panel.api('GET', '/clientes', { bearer: token }),
      await panel.api('GET', '/nada', { bearer: token }),
    ]) {
      const header = (name: string) => answer.headers.get(name)
      expect([header('cache-control'), header('x-content-type-options'), header('referrer-policy')]).toEqual([
        'no-store',
        'nosniff',
        'no-referrer',
      ])
      expect(header('strict-transport-security')).toContain('max-age=')
      expect(header('access-control-allow-origin')).toBeNull()
      expect(header('x-request-id')).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
      expect(header('server')).toBeNull()
    }
  })

  test('has a request id of its own', async () => {
    const ids = await Promise.all(
      Array.from({ length: 50 }, async () =>
        (await panel.api('GET', '/conexion', { bearer: token })).headers.get('x-request-id'),
      ),
    )
    expect(new Set(ids).size).toBe(50)
  })

  test.each([
    ['GET', '/'],
    ['GET', '/nada'],
    ['GET', '/salud'],
    ['GET', '/docs'],
    ['GET', '/openapi.json'],
    ['GET', '/icon.svg'],
    ['GET', '/acceso/nada'],
    ['GET', '/acceso/entrar'],
    ['POST', '/acceso/entrar'],
    ['PROPFIND', '/acceso/entrar'],
    ['POST', '/cron/nada'],
    ['PUT', '/'],
    ['OPTIONS', '/'],
    ['HEAD', '/'],
  ])('of %s %s has a request id', async (method, path) => {
    const { headers } = await panel.fetch(path, { method })
    expect(headers.get('x-request-id')).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
  })

  test('to a preflight request allows nothing', async () => {
    const response = await panel.fetch('/acceso/entrar', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    })
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('of /salud tells the state alone', async () => {
    const response = await panel.fetch('/salud')
    expect([response.status, await response.json()]).toEqual([200, { estado: 'ok' }])
  })

  test('of /cron without a configured secret is 404', async () => {
    for (const headers of [{}, { authorization: 'Bearer x' }, { authorization: `Bearer ${token}` }] as Record<
      string,
      string
    >[]) {
      expect((await panel.fetch('/cron/correo', { method: 'POST', headers })).status).toBe(404)
    }
  })
})
