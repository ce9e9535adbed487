import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type Answer, Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { quickest } from '../support/quickest.ts'

setDefaultTimeout(60_000)

const SLOW_MS = 400

let panel: Panel
let token: string

beforeAll(async () => {
  panel = await Panel.start()
  token = await newToken(panel, await firstAdmin(panel))
})
afterAll(() => panel.stop())

/** What makes a pattern with two ways to read the same text try all of them. */
const PATHOLOGICAL = [
  'a'.repeat(50_000),
  'a.'.repeat(25_000),
  `${'a-'.repeat(25_000)}!`,
  'a@'.repeat(25_000),
  'á'.repeat(25_000),
  ` ${' '.repeat(50_000)}x`,
  '\t'.repeat(50_000),
  '"'.repeat(50_001),
  '\\'.repeat(50_001),
  `${'1'.repeat(50_000)}x`,
  '::'.repeat(25_000),
]

const RECORDS = ['TXT', 'A', 'AAAA', 'MX', 'SRV', 'CAA', 'SVCB', 'TLSA', 'SSHFP', 'NAPTR', 'CNAME', 'LOC']

/** Every kind of place that a text of a caller is matched in. */
function sendings(value: string): [string, () => Promise<Answer>][] {
  const call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => () =>
    panel.api(method, path, {
      bearer: token,
      ...(body === undefined ? {} : { body }),
      ...(headers ? { headers } : {}),
    })
  // The server takes 16 KiB of request line and headers, and each letter may become six there.
  const text = encodeURIComponent(value.slice(0, 2000).toWellFormed())
  const visible = value.replace(/[^\x21-\x7e]/g, 'x').slice(0, 3500)
  return [
    ['a client', call('POST', '/clientes', { cliente: value, correo: value, nombre: value, plan: value })],
    ['a reference', call('POST', '/clientes', { cliente: 'b', referencia: value, nodo: value })],
    ['a provisioning', call('PUT', '/altas/r1', { correo: value, domain: value, aliases: [value] })],
    ['a plan', call('POST', '/planes', { plan: value })],
    ['a site', call('PATCH', '/sitios/x.es', { php: value, aliases: [value] })],
    ['a zone', call('POST', '/zonas', { cliente: value, zona: value, plantilla: value })],
    ['a path', call('GET', `/sitios/${text}`)],
    ['a record name', call('PUT', `/zonas/lenta.es/registros/${text}/TXT`, { ttl: 300, valores: ['"x"'] })],
    ['a search', call('GET', `/clientes?buscar=${text}`)],
    ['a cursor', call('GET', `/clientes?desde=${text}`)],
    ['a filter', call('GET', `/auditoria?cliente=${text}`)],
    ['an address', () => panel.access('/entrar', { correo: value, contrasena: 'x', cliente: value })],
    ['a link', () => panel.access('/enlace', { enlace: value })],
    ['a step', () => panel.access('/segundo-factor', { paso_token: value, codigo: value })],
    ['a cookie', () => panel.access('/renovar', undefined, { cookie: `__Host-panel=${visible}` })],
    [
      'headers',
      call('GET', '/conexion', undefined, {
        'accept-language': visible,
        'x-forwarded-for': visible,
        'user-agent': visible,
      }),
    ],
    ['a key', call('POST', '/planes', { plan: 'lento' }, { 'idempotency-key': visible })],
    ['If-Match', call('DELETE', '/zonas/lenta.es/registros/nada/A', undefined, { 'if-match': visible })],
    ['a bearer', () => panel.api('GET', '/conexion', { bearer: visible })],
    [
      'a zone file',
      () =>
        panel.api('POST', '/zonas/lenta.es/importar?simular=si', {
          bearer: token,
          raw: `www 300 IN TXT ${value}\n${value} 300 IN A 1.2.3.4\n${value}\n`,
          headers: { 'content-type': 'text/dns' },
        }),
    ],
    ...RECORDS.map((type): [string, () => Promise<Answer>] => [
      `a value of ${type}`,
      call('PUT', `/zonas/lenta.es/registros/lento/${type}`, {
        ttl: 300,
        valores: [value, `1 1 1 ${value}`],
      }),
    ]),
  ]
}

test('a text of 50 kB meets no slow pattern, in whatever field, path, query, header or zone file', async () => {
  await panel.api('POST', '/clientes', { bearer: token, body: { cliente: 'lenta' } })
  const zone = await panel.api('POST', '/zonas', {
    bearer: token,
    body: { cliente: 'lenta', zona: 'lenta.es' },
  })
  expect(zone.status).toBe(201)
  const slow: [string, number][] = []
  for (const [at, value] of PATHOLOGICAL.entries()) {
    // A minute each: no limit answers in the place of the pattern.
    await panel.setClock(61 * at)
    for (const [what, send] of sendings(value)) {
      const started = performance.now()
      const answer = await send()
      // A slow pattern is slow each time; what the machine held up is not.
      const again = performance.now() - started > SLOW_MS ? await quickest(send) : 0
      if (again > SLOW_MS) slow.push([`${what} of ${value.slice(0, 8)}`, Math.round(again)])
      expect([what, [200, 400, 401, 404, 412, 413, 422]]).toEqual([
        what,
        expect.arrayContaining([answer.status]),
      ])
      expect(JSON.stringify(answer.body)).not.toContain(value.slice(0, 200))
    }
  }
  expect(slow).toEqual([])
})
