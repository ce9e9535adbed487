import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { isCompressible } from '../../deploy/http/codings.ts'
import { handlers } from '../../handlers/index.ts'
import { type Answer, type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken } from '../support/people.ts'
import { deleteClient, newClient, outcome, ROOMY } from './people.ts'

const MANY = 205
setDefaultTimeout(60_000)

let panel: Panel
let token: string

beforeAll(async () => {
  panel = await Panel.start({ env: ROOMY })
  token = await newToken(panel, await firstAdmin(panel))
  await panel.api('POST', '/planes', { bearer: token, body: { plan: 'básico' } })
  for (let i = 0; i < MANY; i += 41) {
    await Promise.all(
      Array.from({ length: 41 }, (_, j) => {
        const n = String(i + j).padStart(3, '0')
        const plan = (i + j) % 5 === 0 ? { plan: 'básico' } : {}
        return newClient(panel, token, `c${n}`, {
          referencia: `ref:${n}`,
          correo: `Persona${n}@cliente.es`,
          ...plan,
        })
      }),
    )
  }
  for (const cliente of ['c003', 'c007'])
    await panel.api('POST', `/clientes/${cliente}/suspender`, { bearer: token })
})
afterAll(() => panel.stop())

const list = (query: string, path = '/clientes') => panel.api('GET', path + query, { bearer: token })
const names = ({ body }: Answer): string[] => body.datos.map((one: Json) => one.cliente)

async function walk(query: string, path = '/clientes', key = 'cliente'): Promise<string[]> {
  const all: string[] = []
  let desde = ''
  for (let pages = 0; pages < 50; pages++) {
    const { body } = await list(`${query}${desde}`, path)
    all.push(...body.datos.map((one: Json) => String(one[key])))
    if (body.siguiente === null) return all
    expect(body.siguiente).toBe(all.at(-1))
    desde = `&desde=${encodeURIComponent(body.siguiente)}`
  }
  throw new Error('the pages have no end')
}

describe('a page', () => {
  test.each([
    ['', 50],
    ['?limite=1', 1],
    ['?limite=200', 200],
    ['?limite=201', 200],
    ['?limite=100000', 200],
    ['?limite=99999999999999999999', 200],
  ])('%p holds %p items', async (query, size) => {
    const answer = await list(query)
    expect(names(answer)).toHaveLength(size)
    expect(answer.body.siguiente).toBe(names(answer).at(-1))
  })

  test.each(['0', '-1', '', 'x', '1.5', '1e2', '0x10', '%2B5', 'NaN', 'null'])(
    'limite=%s is 422',
    async (limite) => {
      const { status, body } = await list(`?limite=${limite}`)
      expect([status, body.campos?.[0].campo]).toEqual([422, 'limite'])
    },
  )

  test.each([1, 7, 100, 200])(
    'of %p follows another until all were seen, each once, in order',
    async (limite) => {
      const seen = await walk(limite === 1 ? '?buscar=c00&limite=1' : `?limite=${limite}`)
      expect(seen).toEqual([...new Set(seen)].sort())
      expect(seen).toHaveLength(limite === 1 ? 10 : MANY)
    },
  )

  test('begins after its cursor even where that item was deleted or others were added', async () => {
    await newClient(panel, token, 'b-cursor')
    const first = await list('?buscar=b-&limite=1')
    expect(first.body).toMatchObject({ siguiente: null, datos: [{ cliente: 'b-cursor' }] })
    await deleteClient(panel, token, 'b-cursor')
    expect(names(await list('?desde=b-cursor&limite=2'))).toEqual(['c000', 'c001'])
    await newClient(panel, token, 'a-antes')
    expect(names(await list('?desde=c001&limite=1'))).toEqual(['c002'])
    await deleteClient(panel, token, 'a-antes')
  })

  test('after the last item is empty', async () => {
    expect((await list('?desde=zzz')).body).toEqual({ datos: [], siguiente: null })
  })

  test('that is exactly full and the last has no cursor', async () => {
    expect((await list('?buscar=c00&limite=10')).body.siguiente).toBeNull()
    expect((await list('?buscar=c00&limite=9')).body.siguiente).toBe('c008')
  })
})

describe('a filter', () => {
  test.each([
    ['buscar=c01', (n: string) => n.startsWith('c01')],
    ['buscar=C01', (n: string) => n.startsWith('c01')],
    ['buscar=persona02', (n: string) => n.startsWith('c02')],
    ['buscar=ONA02', (n: string) => n.startsWith('c02')],
    ['buscar=f:123', (n: string) => n === 'c123'],
    ['buscar=ona', () => true],
    ['estado=suspendido', (n: string) => ['c003', 'c007'].includes(n)],
    ['plan=b%C3%A1sico', (n: string) => Number(n.slice(1)) % 5 === 0],
    ['plan=b%C3%A1sico&buscar=c01', (n: string) => ['c010', 'c015'].includes(n)],
    ['referencia=ref:123', (n: string) => n === 'c123'],
    ['referencia=ref:12', () => false],
    ['referencia=nada', () => false],
    ['plan=ninguno', () => false],
    ['buscar=%25', () => false],
    ['buscar=c_0', () => false],
    ["buscar='", () => false],
  ])('%s finds just what it says, over all pages', async (query, keeps) => {
    const all = Array.from({ length: MANY }, (_, i) => `c${String(i).padStart(3, '0')}`)
    expect(await walk(`?limite=7&${query}`)).toEqual(all.filter(keeps))
  })
})

describe('an order', () => {
  test.each([
    ['-cliente', (n: number) => -n],
    ['correo', (n: number) => n],
    ['-correo', (n: number) => -n],
    ['plan', (n: number) => (n % 5 === 0 ? 1000 : 0) + n],
    ['-estado', (n: number) => (n === 3 || n === 7 ? -1000 : 0) - n],
  ])('%s holds over all pages, with each client once', async (orden, place) => {
    const seen: number[] = []
    let desde = ''
    do {
      const { body } = await list(`?orden=${orden}&limite=30${desde}`)
      seen.push(...body.datos.map(({ cliente }: Json) => Number(cliente.slice(1))))
      desde = body.siguiente === null ? '' : `&desde=${encodeURIComponent(body.siguiente)}`
    } while (desde !== '')
    expect(seen).toHaveLength(MANY)
    expect(seen).toEqual(seen.toSorted((a, b) => place(a) - place(b)))
  })

  test('goes on behind a row that is no longer there, and refuses a cursor of another', async () => {
    await newClient(panel, token, 'fugaz', { correo: 'persona002b@cliente.es' })
    const upTo = await list('?orden=correo&limite=4')
    expect(names(upTo).at(-1)).toBe('fugaz')
    await deleteClient(panel, token, 'fugaz')
    const behind = await list(`?orden=correo&limite=1&desde=${upTo.body.siguiente}`)
    expect(names(behind)).toEqual(['c003'])
    expect(outcome(await list('?orden=correo&desde=c003'))).toEqual([400, 'cursor_invalido'])
    expect(outcome(await list('?orden=secreto'))).toEqual([422, 'datos_invalidos'])
  })

  test('counts what the filters leave, whatever the page, and only if asked', async () => {
    expect((await list('?contar=si&limite=1&estado=suspendido')).body.total).toBe(2)
    expect((await list('?contar=si&limite=2&buscar=ersona02&desde=c025')).body.total).toBe(10)
    expect('total' in (await list('?limite=1')).body).toBe(false)
  })
})

describe('every listing', () => {
  const listings = handlers.filter(({ method, output, path }) => {
    const entries = (output as { entries?: object }).entries ?? {}
    return method === 'GET' && 'siguiente' in entries && !path.includes(':')
  })
  test('has the shape of a page and the rules of `limite`', async () => {
    expect(listings.length).toBeGreaterThan(9)
    for (const { path } of listings) {
      // Archives to import and what was deleted lie at a node: a function host has none to list.
      if (['/importaciones', '/papelera'].includes(path) && !panel.waits) continue
      const { status, body } = await list('?limite=1', path)
      expect([path, status, Object.keys(body)]).toEqual([path, 200, ['datos', 'siguiente']])
      expect(body.datos.length).toBeLessThanOrEqual(1)
      expect([path, ...outcome(await list('?limite=0', path))]).toEqual([path, 422, 'datos_invalidos'])
      expect([path, (await list('?limite=1000', path)).status]).toEqual([path, 200])
      expect([path, ...outcome(await list('?nada=1', path))]).toEqual([path, 422, 'datos_invalidos'])
    }
  })

  test('of the audit trail runs newest first and refuses a foreign cursor', async () => {
    const ids = (await walk('?limite=150', '/auditoria', 'id')).map(Number)
    expect(ids.length).toBeGreaterThan(MANY)
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    expect(outcome(await list('?desde=acme', '/auditoria'))).toEqual([400, 'cursor_invalido'])
    const created = await list('?operacion=POST%20/clientes&limite=200', '/auditoria')
    expect(created.body.datos.every((one: Json) => one.operacion.startsWith('POST /clientes'))).toBe(true)
    expect(
      (await list('?cliente=c003&operacion=POST%20/clientes/%3Ccliente%3E/suspender', '/auditoria')).body
        .datos,
    ).toHaveLength(1)
    expect((await list('?actor=nadie', '/auditoria')).body.datos).toEqual([])
    expect((await list('?actor=facturacion&limite=1', '/auditoria')).body.datos).toHaveLength(1)
  })

  test('of the audit trail tells where each came from, and is narrowed by that and by days', async () => {
    const { body } = await list('?limite=1&operacion=POST%20/clientes', '/auditoria')
    const [{ direccion, cuando }] = body.datos
    expect(direccion).toBe('127.0.0.1')
    const day = cuando.slice(0, 10)
    const count = async (query: string) => (await list(`?limite=5${query}`, '/auditoria')).body.datos.length
    expect(await count(`&direccion=127.0.0.1&dia_desde=${day}&dia_hasta=${day}`)).toBe(5)
    expect(await count('&direccion=192.0.2.1')).toBe(0)
    expect(await count('&dia_hasta=2020-01-01')).toBe(0)
    expect(await count('&dia_desde=2100-01-01')).toBe(0)
    expect(outcome(await list('?dia_desde=2026-02-30', '/auditoria'))).toEqual([422, 'datos_invalidos'])
  })

  test('of use has every client once', async () => {
    const seen = await walk('?limite=90', '/uso')
    expect(seen).toHaveLength(MANY)
    expect(new Set(seen).size).toBe(MANY)
  })

  test('of background work has its state and never its payload', async () => {
    const { body } = await list('?limite=200', '/tareas')
    expect(body.datos.length).toBeGreaterThan(0)
    for (const one of body.datos) expect(Object.keys(one)).not.toContain('payload')
    expect((await list('?estado=fallida', '/tareas')).body.datos).toEqual([])
    expect((await list('?cliente=c003', '/tareas')).body.datos.length).toBeGreaterThan(0)
  })
})

test('the events of everything tell it once, oldest first, and go on behind the last one', async () => {
  const query = '/eventos?limite=200'
  const seen = await walk('?limite=200', '/eventos', 'evento')
  expect(seen).toEqual([...new Set(seen)].sort((one, other) => Number(one) - Number(other)))
  expect(seen.length).toBeGreaterThan(MANY)
  const behind = `${query}&desde=${seen.at(-1)}`
  expect((await list(behind, '')).body).toEqual({ datos: [], siguiente: null })
  await panel.api('POST', '/clientes/c003/activar', { bearer: token })
  const [event, ...more] = (await list(behind, '')).body.datos
  expect(event).toEqual({
    evento: expect.stringMatching(/^[0-9]{13}$/),
    tipo: 'cliente.activado',
    cuando: expect.stringMatching(/^20.*Z$/),
    cliente: 'c003',
    objeto: null,
    datos: { referencia: 'ref:003' },
  })
  expect(more).toEqual([])
  expect((await list('/eventos?desde=x', '')).body.codigo).toBe('cursor_invalido')
})

describe('an answer', () => {
  const raw = (path: string, accepted: string, more: RequestInit & { decompress?: boolean } = {}) =>
    panel.fetch(path, {
      decompress: false,
      ...more,
      headers: { authorization: `Bearer ${token}`, 'accept-encoding': accepted, ...more.headers },
    } as RequestInit)
  const codingOf = ({ headers }: Response) => [headers.get('content-encoding'), headers.get('vary')]
  /** A function host leaves compression to the network before it; what the panel compresses itself says so in `Vary`. */
  const varies = async (path: string) => (await raw(path, 'gzip')).headers.has('vary')

  test('is compressed as the caller accepts it, and says the same', async () => {
    if (!panel.waits) return expect(await varies('/openapi.json')).toBe(false)
    const path = '/api/clientes?limite=200'
    const plain = await (await raw(path, 'identity')).text()
    for (const [coding, expand] of [
      ['gzip', gunzipSync],
      ['zstd', zstdDecompressSync],
    ] as const) {
      const answer = await raw(path, coding)
      expect(codingOf(answer)).toEqual([coding, 'accept-encoding'])
      const bytes = new Uint8Array(await answer.arrayBuffer())
      expect(bytes.length).toBeLessThan(plain.length / 5)
      expect(new TextDecoder().decode(expand(bytes))).toBe(plain)
      expect(codingOf(await raw(path, coding, { method: 'HEAD' }))).toEqual([coding, 'accept-encoding'])
    }
    expect(codingOf(await raw('/openapi.json', 'gzip'))).toEqual(['gzip', 'accept-encoding'])
  })

  test('that is small is not compressed', async () => {
    if (!panel.waits) return expect(await varies('/api/conexion')).toBe(false)
    expect(codingOf(await raw('/api/conexion', 'gzip, zstd'))).toEqual([null, 'accept-encoding'])
  })

  test('that shows a secret, or is of an address where people sign in, is never compressed', () => {
    const secretive = handlers.filter(
      ({ method, access, secret }) => secret || method !== 'GET' || access.kind !== 'bearer',
    )
    expect(secretive.filter(isCompressible)).toEqual([])
    expect(handlers.filter(isCompressible).length).toBeGreaterThan(50)
  })

  test('has a tag of its own for each coding, and every one of them names the state in If-Match', async () => {
    await newClient(panel, token, 'zonas')
    await panel.api('POST', '/zonas', { bearer: token, body: { cliente: 'zonas', zona: 'zonas.example' } })
    const put = (name: string, tag: string) =>
      panel.api('PUT', `/zonas/zonas.example/registros/${name}/TXT`, {
        bearer: token,
        headers: { 'if-match': tag },
        body: { ttl: 300, valores: [`"${'larga '.repeat(40)}"`] },
      })
    const path = '/api/zonas/zonas.example/registros'
    for (let n = 0; n < 5; n++) await put(`n${n}`, (await raw(path, 'identity')).headers.get('etag') ?? '')
    const tags = await Promise.all(
      ['identity', 'gzip', 'zstd'].map(async (coding) => (await raw(path, coding)).headers.get('etag') ?? ''),
    )
    const [bare = ''] = tags
    expect(bare).toMatch(/^"[^"]+"$/)
    const own = (coding: string) => (panel.waits ? bare.replace(/"$/, `+${coding}"`) : bare)
    expect(tags).toEqual([bare, own('gzip'), own('zstd')])
    expect((await put('uno', tags[2] ?? '')).status).toBe(200)
    expect((await put('dos', tags[1] ?? '')).status).toBe(412)
    expect((await put('dos', (await raw(path, 'gzip')).headers.get('etag') ?? '')).status).toBe(200)
  })
})
