import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { ROOMY } from '../api/people.ts'
import { count } from '../api/store.ts'
import { Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { exchange, parseAnswer, raw } from './wire.ts'

setDefaultTimeout(60_000)

let panel: Panel
let admin: SignedIn
let token: string
/** The answer to compare with. */
let closed: { head: string; body: string }

beforeAll(async () => {
  panel = await Panel.start({ env: { ...ROOMY, PANEL_LIMITE_FALLOS: '1' } })
  admin = await firstAdmin(panel)
  token = await newToken(panel, admin)
  closed = await gateAnswer('GET', '/api/clientes')
})
afterAll(() => panel.stop())

async function gateAnswer(method: string, path: string, init: RequestInit = {}) {
  const response = await panel.fetch(path, { method, ...init })
  // After a number of requests a connection ends, whatever they asked for.
  const headers = [...response.headers].filter(([name]) => name !== 'date' && name !== 'connection').sort()
  return { head: JSON.stringify([response.status, headers]), body: await response.text() }
}

type Paths = { paths: Record<string, Record<string, unknown>> }
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

describe('without a bearer', () => {
  test('the answer is an empty 404 that tells nothing', async () => {
    expect(closed).toEqual({
      head: JSON.stringify([
        404,
        [
          ['cache-control', 'no-store'],
          ['content-length', '0'],
        ],
      ]),
      body: '',
    })
  })

  test('every route by every method answers the same bytes, and no query runs', async () => {
    const { paths } = (await (await panel.fetch('/openapi.json')).json()) as Paths
    const routes = Object.keys(paths)
      .filter((path) => path.startsWith('/api/'))
      .map((path) => path.replace(/\{\w+\}/g, 'acme'))
    expect(routes.length).toBeGreaterThan(40)
    const before = [panel.log, count(panel, 'select count(*) from audit')]
    for (const path of routes) {
      const answers = await Promise.all(METHODS.map((method) => gateAnswer(method, path)))
      for (const [i, answer] of answers.entries())
        expect([METHODS[i], path, answer]).toEqual([METHODS[i], path, closed])
    }
    expect([panel.log, count(panel, 'select count(*) from audit')]).toEqual(before)
  })

  test.each([
    '/api',
    '/api/',
    '/api/nothing/here',
    '/api/planes/%E0%A4%A',
    '/api?x=1',
    '/api/clientes?limite=0',
    `/api/${'x'.repeat(4000)}`,
  ])('%p that is no route does too', async (path) => {
    for (const method of METHODS) expect(await gateAnswer(method, path)).toEqual(closed)
  })

  test.each([
    ['not JSON', '{', 'application/json'],
    ['another type', '<a/>', 'application/xml'],
    ['no type', 'x', ''],
    ['a body too large', 'x'.repeat(300 * 1024), 'application/json'],
    ['a bearer in the body', '{"token":"cpt_x","authorization":"Bearer x"}', 'application/json'],
    ['depth', '['.repeat(10_000), 'application/json'],
  ])('%s does not change it', async (_, body, type) => {
    const headers = type ? { 'content-type': type } : {}
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect(await gateAnswer(method, '/api/clientes', { body, headers })).toEqual(closed)
    }
  })

  test.each([
    'Basic YWRtaW46YWRtaW4=',
    'Bearer',
    'Bearer ',
    'bearer   ',
    'Token {}',
    '{}',
    'BearerX {}',
    'Bearer {} {}',
    'Bearer {}, Bearer {}',
    'Basic x, Bearer {}',
  ])('the header %p is none', async (value) => {
    const authorization = value.replaceAll('{}', token)
    expect(await gateAnswer('GET', '/api/clientes', { headers: { authorization } })).toEqual(closed)
    expect(panel.log).not.toContain(token)
  })

  test('two Authorization headers are none', async () => {
    const line = `Authorization: Bearer ${token}`
    expect((await raw(panel, 'GET', '/api/conexion', [line])).status).toBe(200)
    const both = await raw(panel, 'GET', '/api/conexion', [line, line])
    expect([both.status, both.body]).toEqual([404, ''])
  })

  test('a token in the query, a cookie or another header is none', async () => {
    const tries: [string, Record<string, string>][] = [
      [`/api/conexion?access_token=${token}`, {}],
      [`/api/conexion?token=${token}&authorization=Bearer%20${token}`, {}],
      ['/api/conexion', { cookie: `token=${token}; authorization=Bearer ${token}` }],
      [
        '/api/conexion',
        {
          'x-api-key': token,
          'x-authorization': `Bearer ${token}`,
          'proxy-authorization': `Bearer ${token}`,
        },
      ],
    ]
    for (const [path, headers] of tries) expect(await gateAnswer('GET', path, { headers })).toEqual(closed)
  })

  test("an admin's cookie alone is none, for reads and writes", async () => {
    const headers = { cookie: admin.cookie, origin: panel.origin }
    for (const method of METHODS)
      expect(await gateAnswer(method, '/api/clientes', { headers })).toEqual(closed)
    expect((await panel.access('/renovar', undefined, headers)).status).toBe(200)
  })

  test('a method override is not heard', async () => {
    const headers = {
      'x-http-method-override': 'DELETE',
      'x-method-override': 'DELETE',
      'x-original-url': '/salud',
      'x-rewrite-url': '/salud',
    }
    expect(await gateAnswer('POST', '/api/clientes/acme', { headers })).toEqual(closed)
  })

  test('it stays the same 404 and never becomes 429, however many requests come', async () => {
    for (let i = 0; i < 20; i++) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => gateAnswer('POST', '/api/tokens')))
      for (const answer of answers) expect(answer).toEqual(closed)
    }
    expect((await panel.api('GET', '/conexion', { bearer: token })).status).toBe(200)
  })

  test.each(['TRACE', 'PROPFIND', 'CONNECT', 'LOCK'])('the method %s passes no further', async (method) => {
    const { status, body, headers } = await raw(panel, method, '/api/clientes')
    expect([status, body, headers['cache-control']]).toEqual([404, '', 'no-store'])
  })
})

describe('a path that is not quite /api', () => {
  test.each([
    '//api/conexion',
    '///api/conexion',
    '/API/conexion',
    '/Api/conexion',
    '/api%2fconexion',
    '/api%2Fconexion',
    '/%61pi/conexion',
    '/api%00/conexion',
    '/api;a=b/conexion',
    '/api//conexion',
    '/api/%63onexion',
    '/api/..%2fapi/conexion',
    '/api/%2e%2e%2fapi/conexion',
    '/apí/conexion',
    '/x/api/conexion',
  ])('%p reaches no handler, not even with a good token', async (target) => {
    const answer = await raw(panel, 'GET', target, [`Authorization: Bearer ${token}`])
    expect(answer.body).not.toContain('controlpanel')
    expect([400, 404]).toContain(answer.status)
  })

  test.each([
    '/./api/clientes',
    '/x/../api/clientes',
    '/api/../api/clientes',
    'https://elsewhere/api/clientes',
    '/api/./clientes',
  ])('%p is /api, so the gate stands before it', async (target) => {
    const { status, body, headers } = await raw(panel, 'GET', target)
    expect([status, body, headers['content-length'], headers['x-request-id']]).toEqual([
      404,
      '',
      '0',
      undefined,
    ])
  })

  test.each([
    '',
    'x',
    '/',
    'a/b',
    'a?b',
    'a#b',
    'a b',
    '[::1',
    'a:99999',
    'a:b',
    'user:pw@a',
    'a\\b',
    '%zz',
    'a%2fb',
    '..',
    '1.2.3.4.5',
    '"',
    '<x>',
    '/api',
    '?/api/x',
    'é',
    'x'.repeat(5000),
  ])('a Host of %p hides neither the gate nor a route', async (host) => {
    const ask = (path: string, ...lines: string[]) =>
      exchange(
        panel,
        `${[`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...lines].join('\r\n')}\r\n\r\n`,
      )
    const { status, headers, body } = parseAnswer(await ask('/api/conexion'))
    const named = Object.entries(headers).filter(([name]) => name !== 'date' && name !== 'connection')
    expect({ head: JSON.stringify([status, named.sort()]), body }).toEqual(closed)
    const opened = parseAnswer(await ask('/api/conexion', `Authorization: Bearer ${token}`))
    expect([opened.status, opened.headers['x-request-id']]).toEqual([200, expect.any(String)])
    expect(parseAnswer(await ask('/salud')).status).toBe(200)
  })

  test('a Host of one letter hides neither the gate nor a route', async () => {
    const lines = [`Authorization: Bearer ${token}`]
    const answer = await raw(panel, 'GET', 'https://x/api/conexion', lines)
    expect(answer.status).toBe(200)
    expect((await raw(panel, 'GET', 'https://x/api/conexion')).body).toBe('')
  })
})

test('plain HTTP on the port gets no answer in HTTP and no redirect', async () => {
  const socket = await new Promise<string>((resolve) => {
    let got = ''
    void Bun.connect({
      hostname: '127.0.0.1',
      port: panel.port,
      socket: {
        open: (s) => void s.write('GET /api/conexion HTTP/1.1\r\nHost: x\r\n\r\n'),
        data: (_, chunk) => {
          got += chunk.toString('latin1')
        },
        close: () => resolve(got),
        error: () => resolve(got),
      },
    })
  })
  expect(socket).not.toMatch(/HTTP\/1|Location/i)
})
