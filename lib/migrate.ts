import type { Client } from '@libsql/client'
import { MIGRATIONS } from '../schema/migrations/index.ts'

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
  if (Number(Object.values(table.rows[0] ?? [0])[0]) === 0) return 0
  const rows = await client.execute('select count(*) as n from migrations')
  return Number(Object.values(rows.rows[0] ?? [0])[0])
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
    await transaction.execute({
      sql: 'create table if not exists migrations (name text primary key, applied_at integer not null)',
      args: [],
    })
    const applied = await transaction.execute({ sql: 'select name from migrations', args: [] })
    // Another process may have been faster.
    const known = new Set(applied.rows.map((row) => String(Object.values(row)[0])))
    for (const { name, sql } of MIGRATIONS) {
      if (known.has(name)) continue
      for (const statement of sql.split('--> statement-breakpoint'))
        await transaction.execute({ sql: statement, args: [] })
      await transaction.execute({ sql: 'insert into migrations values (?, ?)', args: [name, now.getTime()] })
    }
    await transaction.commit()
  } finally {
    transaction.close()
  }
}
