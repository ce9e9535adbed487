import { type SQLWrapper, sql } from 'drizzle-orm'
import { databases, siteNames, zones } from '../../schema/tables.ts'
import type { ClientId } from '../clients/clients.ts'
import type { Db } from '../store/database.ts'

/** What a node may have of a client besides its tree: it is told to the node, since the rows may be gone by then. */
export type Belongings = { hosts: string[]; zones: string[]; held: { databaseId: number; name: string }[] }

export async function belongingsOf(db: Db, clientId: ClientId): Promise<Belongings> {
  const isTheirs = (column: SQLWrapper) => sql`${column} in (${clientId})`
  const [hosts, names, held] = await Promise.all([
    db.select({ name: siteNames.name }).from(siteNames).where(isTheirs(siteNames.clientId)),
    db.select({ name: zones.name }).from(zones).where(isTheirs(zones.clientId)),
    db
      .select({ databaseId: databases.id, name: databases.name })
      .from(databases)
      .where(isTheirs(databases.clientId)),
  ])
  return { hosts: hosts.map(({ name }) => name), zones: names.map(({ name }) => name), held }
}
