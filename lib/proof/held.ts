import { and, eq, inArray, ne } from 'drizzle-orm'
import { siteNames, sites, zones } from '../../schema/tables.ts'
import type { ClientId } from '../clients/clients.ts'
import type { Db } from '../store/database.ts'
import { both, mapped, type Reading, reading } from '../store/reading.ts'
import { parentNames } from '../text/host-names.ts'
import type { Held } from './decide.ts'

/** What a client has of these names and of those above them; what is on its way out is not held any more. */
export function heldAbove(db: Db, clientId: ClientId, names: readonly string[]): Reading<Held[]> {
  const related = [...new Set(names.flatMap((name) => [name, ...parentNames(name)]))]
  const hosts = db
    .select({ name: siteNames.name, provenAt: siteNames.provenAt })
    .from(siteNames)
    .innerJoin(sites, eq(sites.id, siteNames.siteId))
    .where(
      and(eq(siteNames.clientId, clientId), inArray(siteNames.name, related), ne(sites.state, 'eliminando')),
    )
  const apexes = db
    .select({ name: zones.name, provenAt: zones.provenAt })
    .from(zones)
    .where(and(eq(zones.clientId, clientId), inArray(zones.name, related), eq(zones.state, 'activa')))
  const whole = both(
    reading(hosts, (rows) => rows),
    reading(apexes, (rows) => rows),
  )
  return mapped(whole, (found) =>
    found.flat().map(({ name, provenAt }) => ({ name, proven: provenAt !== null })),
  )
}
