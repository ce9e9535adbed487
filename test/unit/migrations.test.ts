import { expect, test } from 'bun:test'
import { createClient } from '@libsql/client'
import { FUNCTIONS } from '../../lib/plans/shapes.ts'
import { migrate } from '../../lib/store/migrate.ts'
import { MIGRATIONS } from '../../schema/migrations/index.ts'

const NOW = new Date('2026-11-23T00:00:00Z')

test('plans that had every function have the new ones too, and others gain none', async () => {
  const client = createClient({ url: ':memory:' })
  const before = MIGRATIONS.slice(0, 9)
  await client.execute('create table migrations (name text primary key, applied_at integer not null)')
  for (const { name, sql } of before) {
    await client.batch(sql.split('--> statement-breakpoint'))
    await client.execute({ sql: 'insert into migrations values (?, 0)', args: [name] })
  }
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
