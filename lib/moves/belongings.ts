import { type SQLWrapper, sql } from 'drizzle-orm'
import { type Belongings, databases, siteNames, zones } from '../../schema/tables.ts'
import type { ClientId } from '../clients/clients.ts'
import type { Db } from '../store/database.ts'

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

/** What a client has now and what it had before. */
export function joined(now: Belongings, before: Belongings | null): Belongings {
  if (before === null) return now
  const held = [...now.held, ...before.held]
  return {
    hosts: [...new Set([...now.hosts, ...before.hosts])],
    zones: [...new Set([...now.zones, ...before.zones])],
    held: held.filter((base, at) => held.findIndex(({ name }) => name === base.name) === at),
  }
}

/** Without the names that others have taken since. */
export async function withoutOthers(db: Db, clientId: number, belongings: Belongings): Promise<Belongings> {
  const taken = (names: string[], { name, owner }: { name: SQLWrapper; owner: SQLWrapper }) =>
    sql`${name} in (select value from json_each(${JSON.stringify(names)})) and ${owner} <> ${clientId}`
  const [hosts, names] = await Promise.all([
    db
      .select({ name: siteNames.name })
      .from(siteNames)
      .where(taken(belongings.hosts, { name: siteNames.name, owner: siteNames.clientId })),
    db
      .select({ name: zones.name })
      .from(zones)
      .where(taken(belongings.zones, { name: zones.name, owner: zones.clientId })),
  ])
  const [others, theirs] = [hosts, names].map((rows) => new Set(rows.map(({ name }) => name)))
  return {
    hosts: belongings.hosts.filter((name) => !others?.has(name)),
    zones: belongings.zones.filter((name) => !theirs?.has(name)),
    held: belongings.held,
  }
}
