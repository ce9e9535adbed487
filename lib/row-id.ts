import { sql } from 'drizzle-orm'
import { clients, sites, zones } from '../schema/tables.ts'
import type { Tx } from './database.ts'

const NUMBERED = { clients, sites, zones }

/**
 * The id that the next row of a table will have, never one that was used before (autoincrement). Asked
 * in the write transaction that inserts the row, it cannot be taken meanwhile; so rows that refer to each
 * other are written without a round trip between them.
 */
export async function nextId(tx: Tx, table: keyof typeof NUMBERED): Promise<number> {
  const row = await tx
    .select({ next: nextOf(table) })
    .from(NUMBERED[table])
    .get()
  return row?.next ?? 1
}

/** The same as an expression in a query of the table. */
export function nextOf(table: keyof typeof NUMBERED) {
  const { id } = NUMBERED[table]
  const used = sql`select seq from sqlite_sequence where name = ${sql.raw(`'${table}'`)}`
  return sql<number>`max(coalesce(max(${id}), 0), coalesce((${used}), 0)) + 1`
}
