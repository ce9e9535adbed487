import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { rrsets, siteNames, sites, zones } from '../../schema/tables.ts'
import type { Client } from '../clients/decide.ts'
import { queueOwnRecords } from '../dns/records.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import type { Db } from '../store/database.ts'
import type { Query } from '../store/reading.ts'
import { parentNames } from '../text/host-names.ts'
import { ADDRESS_TYPES, type NameRecordsChange, namesAround, type ZoneAround } from './decide-name-records.ts'

/** The zones above these names, whoever owns them, and the client's zones above the names that the site has now. */
export async function aroundFacts(db: Db, domain: string, names: readonly string[]): Promise<ZoneAround[]> {
  const owner = db.select({ id: sites.clientId }).from(sites).where(eq(sites.domain, domain))
  const parents = listed(names.flatMap((name) => [name, ...parentNames(name)]))
  const around = sql`${siteNames.reversed} >= ${zones.reversed} || '.' and ${siteNames.reversed} < ${zones.reversed} || '/'`
  const theirs = and(inArray(zones.clientId, owner), present(db, domain, around))
  const isName = sql`${siteNames.name} = ${rrsets.name} || '.' || ${zones.name}`
  const wanted = or(
    eq(rrsets.name, '@'),
    sql`${rrsets.name} in ${listed(namesAround(names))}`,
    and(inArray(rrsets.type, ADDRESS_TYPES), present(db, domain, isName)),
  )
  const rows = await db
    .select({ zone: zones, rrset: rrsets })
    .from(zones)
    .leftJoin(rrsets, and(eq(rrsets.zoneId, zones.id), wanted))
    .where(and(eq(zones.state, 'activa'), or(sql`${zones.name} in ${parents}`, theirs)))
  const found = new Map<number, ZoneAround>()
  for (const { zone, rrset } of rows) {
    const { records } = found.get(zone.id) ?? { records: [] }
    found.set(zone.id, { zone, records: rrset ? [...records, rrset] : records })
  }
  return [...found.values()]
}

/** Whether the site of a domain has a name that meets a condition. */
function present(db: Db, domain: string, which: SQL): SQL {
  const site = db.select({ id: sites.id }).from(sites).where(eq(sites.domain, domain))
  return sql`exists (select 1 from ${siteNames} where ${siteNames.siteId} = ${site} and ${which})`
}

/** Names as one parameter: a site may have a thousand. */
const listed = (names: readonly string[]) =>
  sql`(select value from json_each(${JSON.stringify([...new Set(names)])}))`

/** Changes the panel's own addresses in zones, and publishes these. */
export const queueNameRecords = (
  ctx: WriteCtx,
  client: Client,
  changes: readonly NameRecordsChange[],
): Query[] =>
  changes.flatMap(({ zone, created, deleted }) => {
    const gone = deleted.flatMap((name) => ADDRESS_TYPES.map((type) => ({ name, type })))
    return queueOwnRecords(ctx, { zone, client }, { created, gone })
  })
