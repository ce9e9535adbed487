import { sql } from 'drizzle-orm'
import { clients, sites, zones } from '../../schema/tables.ts'
import type { Database, Tx } from './database.ts'

const NUMBERED = { clients, sites, zones }

/**
 * The id that the next row of a table will have, never a used one (autoincrement). Read in the write transaction that
 * inserts the row, so nobody else can take it; rows that refer to each other can then be written in one round trip.
 */
export async function nextId(tx: Tx, table: keyof typeof NUMBERED): Promise<number> {
  const row = await tx
    .select({ next: nextOf(table) })
    .from(NUMBERED[table])
    .get()
  return row?.next ?? 1
}

/** `nextId` as an expression in a query of the table. */
function nextOf(table: keyof typeof NUMBERED) {
  const { id } = NUMBERED[table]
  const used = sql`select seq from sqlite_sequence where name = ${sql.raw(`'${table}'`)}`
  return sql<number>`max(coalesce(max(${id}), 0), coalesce((${used}), 0)) + 1`
}

/**
 * Makes the ids of new rows higher than these, which were found outside of the database. Writes only if they are not
 * yet.
 */
export async function raiseIds(db: Database, above: { clients: number; sites: number }): Promise<void> {
  const wanted = [
    { table: 'clients', above: above.clients },
    { table: 'sites', above: above.sites },
  ] as const
  const rows = await db.read.values<[string, number]>(sql`select name, seq from sqlite_sequence`)
  const used = new Map(rows)
  for (const { table, above: least } of wanted) {
    if ((used.get(table) ?? 0) >= least) continue
    await db.write(async (tx) => {
      // `sqlite_sequence` has no unique key, so an upsert is not possible.
      await tx.run(
        sql`insert into sqlite_sequence (name, seq) select ${table}, 0 where not exists (select 1 from sqlite_sequence where name = ${table})`,
      )
      await tx.run(sql`update sqlite_sequence set seq = ${least} where name = ${table} and seq < ${least}`)
    })
  }
}
