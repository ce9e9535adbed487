import { expect, test } from 'bun:test'
import { createClient } from '@libsql/client'
import { FUNCTIONS } from '../../lib/plans/shapes.ts'
import { migrate } from '../../lib/store/migrate.ts'
import { MIGRATIONS } from '../../schema/migrations/index.ts'

const NOW = new Date('2026-11-23T00:00:00Z')

/** A database as the first so many migrations left it. */
async function migratedBy(count: number) {
  const client = createClient({ url: ':memory:' })
  await client.execute('create table migrations (name text primary key, applied_at integer not null)')
  for (const { name, sql } of MIGRATIONS.slice(0, count)) {
    await client.batch(sql.split('--> statement-breakpoint'))
    await client.execute({ sql: 'insert into migrations values (?, 0)', args: [name] })
  }
  return client
}

test('plans that had every function have the new ones too, and others gain none', async () => {
  const client = await migratedBy(9)
  const plan = (name: string, functions: string[]) =>
    client.execute({
      sql: 'insert into plans (name, functions, created_at) values (?, ?, 0)',
      args: [name, JSON.stringify(functions)],
    })
  await plan('todo', ['php', 'https', 'espejo_dns'])
  await plan('poco', ['php', 'https'])
  await migrate(client, NOW, async () => {})
  const { rows } = await client.execute('select name, functions, schedules from plans order by name')
  expect(rows.map((row) => [row.name, JSON.parse(String(row.functions)), row.schedules])).toEqual([
    ['poco', ['php', 'https'], null],
    ['todo', [...FUNCTIONS], null],
  ])
})

test('names that sites have already are found by their parts, each alone, and forgotten with their site', async () => {
  const client = await migratedBy(34)
  await client.batch([
    `insert into clients (id, name, display_name, language, state, node, created_by, created_at, updated_at)
      values (1, 'ana', 'Ana', 'es', 'activo', 'nodo1', 'token', 0, 0)`,
    `insert into sites (id, client_id, domain, state, https_only, certificate_state, certificate_names, created_at)
      values (7, 1, 'tienda.es', 'activo', 1, 'activo', '[]', 0)`,
    `insert into site_names (name, reversed, site_id, client_id, alias, position)
      values ('tienda.es', '', 7, 1, 0, 0), ('botiga.cat', '', 7, 1, 1, 1), ('otra.com', '', 7, 1, 1, 2)`,
    "delete from site_names where name = 'otra.com'",
  ])
  await migrate(client, NOW, async () => {})
  const found = async (part: string) => {
    const sql = `select name from name_docs where id in (select rowid from name_search where name_search match '"${part}"')`
    return (await client.execute(sql)).rows.map(({ name }) => name)
  }
  expect(await found('tiga')).toEqual(['botiga.cat'])
  expect(await found('enda.')).toEqual(['tienda.es'])
  expect(await found('otra')).toEqual([])
  await client.execute('delete from site_names where site_id = 7')
  expect([await found('tiga'), await found('enda.')]).toEqual([[], []])
  expect((await client.execute('select count(*) as n from name_docs')).rows[0]?.n).toBe(0)
})
