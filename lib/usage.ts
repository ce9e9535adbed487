import { and, eq, gte, inArray, lt, type SQLWrapper, sql } from 'drizzle-orm'
import { clients, plans, siteNames, sites, usage, usageDays, zones } from '../schema/tables.ts'
import type { Db } from './database.ts'
import { wireTime } from './page.ts'
import { limitsOf, type Plan } from './plans.ts'
import { Reading, readNow } from './reading.ts'
import type { UsageView } from './shapes.ts'

/** Percent of a limit from which a client is warned. */
export const WARN_PERCENT = 80

/** The views of use of the clients with these ids, in the order of their names, in one pass. */
export async function viewUsage(db: Db, ids: number[], now: Date): Promise<UsageView[]> {
  return ids.length === 0 ? [] : readNow(db, usageReading(db, ids, now))
}

/** The same; the ids may be a query of one column, so that finding them costs no round trip of its own. */
export function usageReading(db: Db, ids: number[] | SQLWrapper, now: Date): Reading<UsageView[]> {
  const period = periodOf(now)
  const queries = usageQueries(db, ids, period)
  return new Reading(queries, (results) => usageViews(results as UsageRows, period))
}

type Period = ReturnType<typeof periodOf>
type Sums = { id: number; n: number }[]
/** The results of `usageQueries`, in their order. */
type UsageRows = [
  { client: typeof clients.$inferSelect; plan: Plan | null; usage: typeof usage.$inferSelect | null }[],
  ...[Sums, Sums, Sums, Sums],
]

function usageQueries(db: Db, ids: number[] | SQLWrapper, period: Period) {
  return [
    db
      .select({ client: clients, plan: plans, usage })
      .from(clients)
      .leftJoin(plans, eq(plans.id, clients.planId))
      .leftJoin(usage, eq(usage.clientId, clients.id))
      .where(inArray(clients.id, ids))
      .orderBy(clients.name),
    db
      .select({
        id: usageDays.clientId,
        n: sql<number>`sum(${usageDays.trafficIn} + ${usageDays.trafficOut})`,
      })
      .from(usageDays)
      .where(
        and(
          inArray(usageDays.clientId, ids),
          gte(usageDays.day, period.desde),
          lt(usageDays.day, period.hasta),
        ),
      )
      .groupBy(usageDays.clientId),
    db
      .select({ id: siteNames.clientId, n: sql<number>`sum(${siteNames.alias})` })
      .from(siteNames)
      .where(inArray(siteNames.clientId, ids))
      .groupBy(siteNames.clientId),
    db
      .select({ id: zones.clientId, n: sql<number>`count(*)` })
      .from(zones)
      .where(inArray(zones.clientId, ids))
      .groupBy(zones.clientId),
    db
      .select({ id: sites.clientId, n: sql<number>`count(*)` })
      .from(sites)
      .where(and(inArray(sites.clientId, ids), sql`${sites.state} <> 'eliminando'`))
      .groupBy(sites.clientId),
  ]
}

function usageViews([rows, traffic, names, zoneCounts, siteCounts]: UsageRows, period: Period): UsageView[] {
  const of = (list: Sums) => new Map(list.map(({ id, n }) => [id, n]))
  const [trafficOf, aliasesOf, zonesOf, sitesOf] = [of(traffic), of(names), of(zoneCounts), of(siteCounts)]
  return rows.map(({ client, plan, usage: measured }) => {
    const limits = limitsOf(plan)
    return {
      cliente: client.name,
      plan: plan?.name ?? null,
      medido: wireTime(measured?.measuredAt ?? null),
      origen: measured?.source ?? null,
      periodo: period,
      consumo: {
        disco_bytes: consumption(measured?.diskBytes ?? 0, limits.disco_bytes, 'measured'),
        inodos: consumption(measured?.inodes ?? 0, limits.inodos, 'measured'),
        trafico_bytes: consumption(trafficOf.get(client.id) ?? 0, limits.trafico_bytes, 'measured'),
        sitios: consumption(sitesOf.get(client.id) ?? 0, limits.sitios, 'counted'),
        aliases: consumption(aliasesOf.get(client.id) ?? 0, limits.aliases, 'counted'),
        zonas: consumption(zonesOf.get(client.id) ?? 0, limits.zonas, 'counted'),
      },
    }
  })
}

/** The calendar month (UTC) that traffic is counted in. */
export function periodOf(now: Date): { desde: string; hasta: string } {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
  return { desde: first.toISOString().slice(0, 10), hasta: next.toISOString().slice(0, 10) }
}

/**
 * Use against a limit: percent with one decimal, and the level that a person sees. What is measured is
 * exceeded at its limit, since writes fail there; what is counted only above it.
 */
export function consumption(usado: number, limite: number | null, kind: 'measured' | 'counted') {
  const porcentaje =
    limite === null ? null : limite === 0 ? (usado > 0 ? 100 : 0) : Math.round((usado / limite) * 1000) / 10
  const over = limite !== null && (usado > limite || (kind === 'measured' && usado === limite && usado > 0))
  const nivel: 'bien' | 'aviso' | 'superado' = over
    ? 'superado'
    : (porcentaje ?? 0) >= WARN_PERCENT
      ? 'aviso'
      : 'bien'
  return { usado, limite, porcentaje, nivel }
}
