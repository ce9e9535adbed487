import type { Client, InStatement } from '@libsql/client'
import { MIGRATIONS } from '../../schema/migrations/index.ts'

/** The database was written by a newer panel, so this one must not touch it. */
export class NewerSchemaError extends Error {
  constructor() {
    super('the database belongs to a newer version of the panel')
  }
}

/** The number of migrations that the database has had. */
export async function schemaVersion(client: Client): Promise<number> {
  const table = await client.execute(
    "select count(*) as n from sqlite_master where type = 'table' and name = 'migrations'",
  )
  if (Number(table.rows[0]?.[0] ?? 0) === 0) return 0
  const rows = await client.execute('select count(*) as n from migrations')
  return Number(rows.rows[0]?.[0] ?? 0)
}

/**
 * Migrates the schema to this version in one transaction, or does nothing if it is current. Calls `before` when an
 * existing older database is about to change. Throws `NewerSchemaError`.
 */
export async function migrate(client: Client, now: Date, before: () => Promise<void>): Promise<void> {
  const version = await schemaVersion(client)
  if (version > MIGRATIONS.length) throw new NewerSchemaError()
  if (version === MIGRATIONS.length) return
  if (version > 0) await before()
  const transaction = await client.transaction('write')
  try {
    const [, applied] = await transaction.batch([
      'create table if not exists migrations (name text primary key, applied_at integer not null)',
      'select name from migrations',
    ])
    // Another process may have migrated first.
    const known = new Set(applied?.rows.map((row) => String(row[0])))
    const missing = MIGRATIONS.filter(({ name }) => !known.has(name))
    // One batch: on a server each single statement would be a round trip.
    await transaction.batch([...missing.flatMap((migration) => statementsOf(migration, now)), 'COMMIT'])
  } finally {
    transaction.close()
  }
}

function statementsOf({ name, sql }: (typeof MIGRATIONS)[number], now: Date): InStatement[] {
  const applied = { sql: 'insert into migrations values (?, ?)', args: [name, now.getTime()] }
  return [...sql.split('--> statement-breakpoint'), applied]
}
