import { and, asc, eq, gt, isNull, ne, or } from 'drizzle-orm'
import { clients, mirrors, siteNames, sites, zones } from '../../schema/tables.ts'
import type { Client } from '../clients/decide.ts'
import type { Zone } from '../dns/zones.ts'
import type { Db } from '../store/database.ts'
import { isDue } from '../work/clock.ts'

const PAGE = 200
/** A name or zone with which nothing is new is looked at this often. */
export const LOOK_AGAIN_MS = 86_400_000

/** What to look at, a page at a time by name. */
export type About = { which: 'all' | 'due'; now: Date; after: string; most?: number }

/** A name of a site, or a zone. */
export type Row = {
  name: string
  client: Client
  proven: boolean
  createdAt: Date
  zone: Zone | null
  /** The name servers of the provider that the zone is mirrored to. */
  mirrors: string[]
}

/** Names of sites that are not proven. */
export async function namesToProve(db: Db, { which, now, after, most = PAGE }: About): Promise<Row[]> {
  const ripe = or(isNull(siteNames.nextLookAt), isDue(siteNames.nextLookAt, now, LOOK_AGAIN_MS))
  const rows = await db
    .select({ name: siteNames.name, client: clients, createdAt: sites.createdAt })
    .from(siteNames)
    .innerJoin(sites, eq(sites.id, siteNames.siteId))
    .innerJoin(clients, eq(clients.id, siteNames.clientId))
    .where(
      and(
        isNull(siteNames.provenAt),
        ne(sites.state, 'eliminando'),
        gt(siteNames.name, after),
        which === 'due' ? ripe : undefined,
      ),
    )
    .orderBy(asc(siteNames.name))
    .limit(most)
  return rows.map((row) => ({ ...row, proven: false, zone: null, mirrors: [] }))
}

/** Zones: their delegation may change at any time. */
export async function zonesToLookAt(db: Db, { which, now, after, most = PAGE }: About): Promise<Row[]> {
  const ripe = or(isNull(zones.nextLookAt), isDue(zones.nextLookAt, now, LOOK_AGAIN_MS))
  const rows = await db
    .select({ zone: zones, client: clients, servers: mirrors.servers })
    .from(zones)
    .innerJoin(clients, eq(clients.id, zones.clientId))
    .leftJoin(mirrors, eq(mirrors.zoneId, zones.id))
    .where(and(eq(zones.state, 'activa'), gt(zones.name, after), which === 'due' ? ripe : undefined))
    .orderBy(asc(zones.name))
    .limit(most)
  return rows.map(({ zone, client, servers }) => ({
    name: zone.name,
    client,
    proven: zone.provenAt !== null,
    createdAt: zone.createdAt,
    zone,
    mirrors: servers ?? [],
  }))
}
