import type { Client, InStatement } from '@libsql/client'
import { MIGRATIONS } from '../../schema/migrations/index.ts'

/** The database was written by a newer panel: this one must not touch it. */
export class NewerSchemaError extends Error {
  constructor() {
    super('the database belongs to a newer version of the panel')
  }
}

/** How many migrations the database has had. */
export async function schemaVersion(client: Client): Promise<number> {
  const table = await client.execute(
    "select count(*) as n from sqlite_master where type = 'table' and name = 'migrations'",
  )
  if (Number(table.rows[0]?.[0] ?? 0) === 0) return 0
  const rows = await client.execute('select count(*) as n from migrations')
  return Number(rows.rows[0]?.[0] ?? 0)
}

/**
 * Brings the schema up to this version in one transaction, or does nothing where it is there. Calls
 * `before` when something older than this version is about to change. Throws NewerSchemaError.
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
    // Another process may have been faster.
    const known = new Set(applied?.rows.map((row) => String(row[0])))
    const missing = MIGRATIONS.filter(({ name }) => !known.has(name))
    // One batch: over a server every statement on its own would be a round trip.
    await transaction.batch([...missing.flatMap((migration) => statementsOf(migration, now)), 'COMMIT'])
  } finally {
    transaction.close()
  }
}

function statementsOf({ name, sql }: (typeof MIGRATIONS)[number], now: Date): InStatement[] {
  const applied = { sql: 'insert into migrations values (?, ?)', args: [name, now.getTime()] }
  return [...sql.split('--> statement-breakpoint'), applied]
}
