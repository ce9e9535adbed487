import type { Client } from '@libsql/client'
import { LibSQLDatabase } from 'drizzle-orm/libsql/driver-core'
import { LibSQLSession } from 'drizzle-orm/libsql/session'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core/dialect'
import type { Db } from './reading.ts'

/**
 * drizzle over a client that is there already. Its own `drizzle()` can make one too, and loads for that what speaks to
 * a server: a twentieth of what a panel with a file reads at its start.
 */
export function drizzleOver(client: Client): Db {
  const dialect = new SQLiteAsyncDialect()
  const session = new LibSQLSession<Record<string, never>, Record<string, never>>(
    client,
    dialect,
    undefined,
    {},
    undefined,
  )
  return new LibSQLDatabase('async', dialect, session, undefined)
}
