import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type Client, createClient, type InStatement } from '@libsql/client'
import * as v from 'valibot'
import listClients from '../../handlers/clients/list.ts'
import searchRecords from '../../handlers/records/search.ts'
import listSites from '../../handlers/sites/list.ts'
import listZones from '../../handlers/zones/list.ts'
import type { Actor } from '../../lib/endpoint/context.ts'
import { createDatabase, type Database } from '../../lib/store/database.ts'
import { migrate } from '../../lib/store/migrate.ts'

setDefaultTimeout(120_000)

/** As many clients as one panel is to be found in, each with a site and a zone. */
const MANY = 100_000
const NOW = new Date('2026-11-25T00:00:00Z')

let client: Client
let db: Database
const asked: InStatement[] = []

beforeAll(async () => {
  client = createClient({ url: ':memory:' })
  await migrate(client, NOW, async () => {})
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${MANY})`
  await client.batch([
    `${numbers} insert into clients (id, name, reference, display_name, email, language, state, node, created_by, created_at, updated_at)
      select i, 'c' || i, 'whmcs-5f2c:' || i, 'Muñoz Pérez ' || i, 'Ana.' || i || '@correo.es', 'es', 'activo', 'nodo1', 'token', i % 7, 0 from n`,
    `${numbers} insert into sites (id, client_id, domain, state, https_only, certificate_state, certificate_names, created_at)
      select i, i, 'tienda' || i || '.es', 'activo', 1, 'activo', '[]', 0 from n`,
    `insert into site_names (name, reversed, site_id, client_id, alias, position)
      select domain, domain, id, client_id, 0, 0 from sites where id <= 5000`,
    `insert into zones (id, client_id, name, reversed, node, serial, created_at, updated_at)
      select id, client_id, domain, domain, 'nodo1', 1, 0, 0 from sites where id <= 5000`,
    `insert into rrsets (zone_id, name, type, ttl, "values", origin)
      select id, 'www', 'A', 300, '["192.0.2.' || (id % 250) || '","198.51.100.7"]', 'sistema' from zones where id <= 2000`,
    `update clients set display_name = 'Panadería "La Ñ" 50%', email = null, reference = 'Fact_77.x' where id = 4321`,
  ])
  const execute = client.execute.bind(client)
  client.execute = ((statement: InStatement) => {
    asked.push(statement)
    return execute(statement)
  }) as Client['execute']
  db = createDatabase(client)
})
afterAll(() => db.close())

const TOKEN: Actor = { kind: 'token', id: 'tok_1', name: 'prueba', expiresOn: '2027-01-01' }
const customerOf = (id: number) =>
  ({ kind: 'session', role: 'client', client: { id, name: `c${id}`, state: 'activo' } }) as Actor

type Listing = typeof listClients | typeof listSites | typeof listZones | typeof searchRecords
type Page = { datos: Record<string, unknown>[]; siguiente: string | null; total?: number }
/** A listing's own code over this database, with a query as it arrives. */
async function page(handler: Listing, query: Record<string, string>, actor = TOKEN): Promise<Page> {
  const context = { tx: db.read, actor, now: () => NOW, request: { language: 'es' }, driver: null }
  const input = { query: v.parse(handler.query ?? v.never(), query) }
  // Only what these handlers read of their context.
  const run = handler.run as unknown as (ctx: object, input: object) => Promise<{ body: Page }>
  return (await run(context, input)).body
}
const found = async (buscar: string) =>
  (await page(listClients, { buscar })).datos.map(({ cliente }) => cliente)

test.each([
  ['4321', 'a part of the name'],
  ['anader', 'a part of the name for people'],
  ['PANADERIA', 'the same in another case and without its accents'],
  ['la ñ', 'letters beyond ASCII'],
  ['"La Ñ" 50%', 'quotes and signs as they stand'],
  ['act_77', 'a part of the reference'],
  ['enda4321.', 'a part of a domain of its site'],
])('%p finds its client: %s', async (buscar) => {
  expect(await found(buscar)).toContain('c4321')
})

test.each(['panadería x', 'name:c4321', 'c4321 OR c1', 'c43*', '%anader%', 'enda4321.es\ntienda'])(
  '%p is looked for as it stands, and nothing has it',
  async (buscar) => {
    expect(await found(buscar.replace('\n', ' '))).toEqual([])
  },
)

test('what changes is found as it is now, and what goes away is not found any more', async () => {
  expect(await found('ana.77777@')).toEqual(['c77777'])
  await client.batch([
    "update clients set email = 'otra@correo.es' where id = 77777",
    "insert into site_names (name, reversed, site_id, client_id, alias, position) values ('alias-nuevo.com', '', 1, 1, 1, 1)",
  ])
  expect(await found('ana.77777@')).toEqual([])
  expect(await found('otra@')).toEqual(['c77777'])
  expect(await found('as-nue')).toEqual(['c1'])
  await client.execute("delete from site_names where name = 'alias-nuevo.com'")
  expect(await found('as-nue')).toEqual([])
  expect(await found('tienda1.es')).toEqual(['c1'])
})

test('a part of a name of a site stands in one of its names, not in pieces in several', async () => {
  const name = (text: string) => `('${text}', '', 2, 2, 1, 1)`
  await client.execute(
    `insert into site_names (name, reversed, site_id, client_id, alias, position) values ${['xabcd.es', 'bcdex.es'].map(name)}`,
  )
  const domains = async (buscar: string) =>
    (await page(listSites, { buscar, contar: 'si' })).datos.map(({ domain }) => domain)
  expect(await domains('ABCD')).toEqual(['tienda2.es'])
  expect(await domains('cdex.e')).toEqual(['tienda2.es'])
  expect(await domains('abcde')).toEqual([])
  await client.execute('delete from site_names where site_id = 2 and alias')
})

test('of a site with a thousand names, what one costs the index is that one, whether it comes or goes', async () => {
  const long = (at: number) => `${`${'n'.repeat(60)}.`.repeat(3)}n${at}.es`
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `('${long(from + at)}', '', 3, 3, 1, 1)`).join()
  const add = (values: string) =>
    client.execute(
      `insert into site_names (name, reversed, site_id, client_id, alias, position) values ${values}`,
    )
  /** Every document of the index: when it was written, and how long it is. */
  const documents = async () =>
    new Map(
      (await client.execute('select id, origin, hex(sz) as size from name_search_docsize')).rows.map(
        ({ id, origin, size }) => [id, `${origin} ${size}`],
      ),
    )
  await add(rows(0, 1_000))
  const before = await documents()
  await add(rows(1_000, 1_001))
  const after = await documents()
  expect(after.size).toBe(before.size + 1)
  expect([...before].filter(([id, document]) => after.get(id) !== document)).toEqual([])
  await client.execute(`delete from site_names where name = '${long(1_000)}'`)
  expect(await documents()).toEqual(before)
  await client.execute('delete from site_names where site_id = 3 and alias')
})

test('fewer than three characters are the start of a name, an address or a domain', async () => {
  expect(await found('c9')).toHaveLength(50)
  expect((await page(listClients, { buscar: 'ti', contar: 'si' })).total).toBe(5000)
  expect(await found('9@')).toEqual([])
})

test.each([
  ['clients', listClients, { buscar: '9999' }, ['client_search', 'name_search']],
  ['sites', listSites, { buscar: 'enda99' }, ['name_search']],
  ['zones', listZones, { buscar: 'enda99' }, ['zone_search']],
  ['records', searchRecords, { buscar: 'w.tienda99' }, ['record_search']],
] as const)(
  'a search for %s asks the index, and walks through no table',
  async (_, handler, query, indexes) => {
    asked.length = 0
    expect((await page(handler, query)).datos.length).toBeGreaterThan(0)
    for (const statement of [...asked]) {
      const { sql, args } = statement as { sql: string; args: [] }
      const { rows } = await client.execute({ sql: `explain query plan ${sql}`, args })
      const plan = rows.map(({ detail }) => String(detail))
      for (const index of indexes)
        expect(plan).toContainEqual(expect.stringMatching(`SCAN ${index} VIRTUAL TABLE INDEX`))
      expect(
        plan.filter((step) =>
          /^SCAN (clients|sites|site_names|name_docs|zones|rrsets|record_docs)\b/.test(step),
        ),
      ).toEqual([])
    }
  },
)

test.each([
  ['sites', listSites],
  ['zones', listZones],
] as const)('a customer finds among %s its own only, and counts no others', async (_, handler) => {
  const all = await page(handler, { buscar: 'tienda12', contar: 'si' })
  expect(all.total).toBeGreaterThan(100)
  const own = await page(handler, { buscar: 'tienda12', contar: 'si' }, customerOf(1234))
  expect([own.datos.map(({ cliente }) => cliente), own.total]).toEqual([['c1234'], 1])
  expect(await page(handler, { buscar: 'tienda99', contar: 'si' }, customerOf(1234))).toEqual({
    datos: [],
    siguiente: null,
    total: 0,
  })
})

test.each(['creado', '-creado', '-cliente', 'disco', 'correo'])(
  'by %s each follows the other over all pages, once, also where rows are equal',
  async (orden) => {
    const seen: unknown[] = []
    let desde = {}
    do {
      const { datos, siguiente } = await page(listClients, { buscar: '777', limite: '40', orden, ...desde })
      seen.push(...datos)
      desde = siguiente === null ? {} : { desde: siguiente }
    } while ('desde' in desde)
    const { total } = await page(listClients, { buscar: '777', contar: 'si' })
    expect(new Set(seen.map((row) => (row as { cliente: string }).cliente)).size).toBe(total ?? -1)
    expect(seen).toHaveLength(total ?? -1)
    if (!orden.includes('creado')) return
    const times = seen.map((row) => (row as { creado: string }).creado)
    expect(times).toEqual(orden === 'creado' ? times.toSorted() : times.toSorted().reverse())
  },
)

test('a cursor of another order is refused', async () => {
  for (const desde of ['c1', 'W10', 'WzEsMl0', 'W3siYSI6MX0sImMxIl0'])
    await expect(page(listClients, { orden: 'creado', desde })).rejects.toMatchObject({
      codigo: 'cursor_invalido',
    })
})

test('a record is found by its whole name and by an address, as it is now, and by its owner alone', async () => {
  const found = async (buscar: string, actor: Actor = TOKEN) =>
    (await page(searchRecords, { buscar }, actor)).datos.map(({ zona, nombre }) => `${nombre} ${zona}`)
  expect(await found('www.tienda77.es')).toEqual(['www tienda77.es'])
  expect(await found('192.0.2.77')).toHaveLength(8)
  expect(await found('192.0.2.77', customerOf(77))).toEqual(['www tienda77.es'])
  await client.execute(`update rrsets set "values" = '["203.0.113.9"]' where zone_id = 77`)
  expect(await found('192.0.2.77', customerOf(77))).toEqual([])
  expect(await found('203.0.113.9')).toEqual(['www tienda77.es'])
  await client.execute('delete from zones where id = 77')
  expect(await found('203.0.113.9')).toEqual([])
  const { datos, siguiente } = await page(searchRecords, { buscar: '198.51.100', limite: '2' })
  const next = await page(searchRecords, { buscar: '198.51.100', limite: '2', desde: siguiente ?? '' })
  expect([...datos, ...next.datos].map(({ zona }) => zona)).toEqual([1, 2, 3, 4].map((n) => `tienda${n}.es`))
})

test('long values full of what is looked for hold up no other request', async () => {
  const [long, part] = [JSON.stringify([`"${'a'.repeat(20_000)}"`]), 'a'.repeat(250)]
  const rows = Array.from({ length: 200 }, (_, at) => `(88, 'r${at}', 'TXT', 300, '${long}', 'usuario')`)
  await client.execute(
    `insert into rrsets (zone_id, name, type, ttl, "values", origin) values ${rows.join()}`,
  )
  const began = performance.now()
  const { datos } = await page(searchRecords, { buscar: part.toUpperCase(), limite: '5' }, customerOf(88))
  expect(datos.map(({ nombre }) => nombre)).toEqual(['r0', 'r1', 'r2', 'r3', 'r4'])
  expect(await page(searchRecords, { buscar: `${part}b` }, customerOf(88))).toMatchObject({ datos: [] })
  expect(performance.now() - began).toBeLessThan(1000)
  await client.execute('delete from rrsets where zone_id = 88')
})

test.each(['92.0.2.7"', 'www.tienda7.es.', '0.2.02', 'ww.www', '2.7 198', '192.0.2_7'])(
  '%p is no part of a record, though its pieces are',
  async (buscar) => {
    expect((await page(searchRecords, { buscar })).datos).toEqual([])
  },
)
