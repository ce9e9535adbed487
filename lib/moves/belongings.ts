import { type SQLWrapper, sql } from 'drizzle-orm'
import { type Belongings, databases, siteNames, sites, zones } from '../../schema/tables.ts'
import type { ClientId } from '../clients/clients.ts'
import type { Db } from '../store/database.ts'

export async function belongingsOf(db: Db, clientId: ClientId): Promise<Belongings> {
  const isTheirs = (column: SQLWrapper) => sql`${column} in (${clientId})`
  const [hosts, names, held, made] = await Promise.all([
    db.select({ name: siteNames.name }).from(siteNames).where(isTheirs(siteNames.clientId)),
    db.select({ name: zones.name }).from(zones).where(isTheirs(zones.clientId)),
    db
      .select({ databaseId: databases.id, name: databases.name })
      .from(databases)
      .where(isTheirs(databases.clientId)),
    db.select({ siteId: sites.id, domain: sites.domain }).from(sites).where(isTheirs(sites.clientId)),
  ])
  return { hosts: namesOf(hosts), zones: namesOf(names), held, sites: made }
}

const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name)

/** What a client has now and what it had before. */
export function joined(now: Belongings, before: Belongings | null): Belongings {
  if (before === null) return now
  const held = [...now.held, ...before.held]
  const made = [...(now.sites ?? []), ...(before.sites ?? [])]
  return {
    hosts: [...new Set([...now.hosts, ...before.hosts])],
    zones: [...new Set([...now.zones, ...before.zones])],
    held: held.filter((base, at) => held.findIndex(({ name }) => name === base.name) === at),
    sites: made.filter((site, at) => made.findIndex(({ siteId }) => siteId === site.siteId) === at),
  }
}

/** What a client had before and does not have now. */
export function without(before: Belongings, now: Belongings): Required<Belongings> {
  const lacks = <T>(list: T[], same: (one: T, other: T) => boolean) => {
    return (one: T) => !list.some((other) => same(one, other))
  }
  const isSame = (one: string, other: string) => one === other
  return {
    hosts: before.hosts.filter(lacks(now.hosts, isSame)),
    zones: before.zones.filter(lacks(now.zones, isSame)),
    held: before.held.filter(lacks(now.held, (one, other) => one.name === other.name)),
    sites: (before.sites ?? []).filter(lacks(now.sites ?? [], (one, other) => one.siteId === other.siteId)),
  }
}

/** Without the names that others have taken since. */
export async function withoutOthers(db: Db, clientId: number, belongings: Belongings): Promise<Belongings> {
  const taken = (names: string[], { name, owner }: { name: SQLWrapper; owner: SQLWrapper }) =>
    sql`${name} in (select value from json_each(${JSON.stringify(names)})) and ${owner} <> ${clientId}`
  const [hosts, names, held] = await Promise.all([
    db
      .select({ name: siteNames.name })
      .from(siteNames)
      .where(taken(belongings.hosts, { name: siteNames.name, owner: siteNames.clientId })),
    db
      .select({ name: zones.name })
      .from(zones)
      .where(taken(belongings.zones, { name: zones.name, owner: zones.clientId })),
    db
      .select({ name: databases.name })
      .from(databases)
      .where(taken(namesOf(belongings.held), { name: databases.name, owner: databases.clientId })),
  ])
  const [ofHosts, ofZones, ofDatabases] = [hosts, names, held].map((rows) => new Set(namesOf(rows)))
  return {
    ...belongings,
    hosts: belongings.hosts.filter((name) => !ofHosts?.has(name)),
    zones: belongings.zones.filter((name) => !ofZones?.has(name)),
    held: belongings.held.filter(({ name }) => !ofDatabases?.has(name)),
  }
}
