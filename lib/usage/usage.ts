import { and, eq, gte, inArray, lt, type SQLWrapper, sql } from 'drizzle-orm'
import { clients, plans, siteNames, usage, usageDays } from '../../schema/tables.ts'
import { type Parts, selectParts } from '../plans/parts.ts'
import type { Db } from '../store/database.ts'
import { Reading, readNow } from '../store/reading.ts'
import type { UsageView } from './shapes.ts'
import { type Measured, usageView } from './view.ts'

/** The use of these clients, in the order of their names, read in one pass. */
export async function viewUsage(db: Db, ids: number[], now: Date): Promise<UsageView[]> {
  return ids.length === 0 ? [] : readNow(db, usageReading(db, ids, now))
}

/** `viewUsage` as a reading; the ids may be a subquery of one column, so that finding them costs no round trip. */
export function usageReading(db: Db, ids: number[] | SQLWrapper, now: Date): Reading<UsageView[]> {
  const period = periodOf(now)
  const queries = usageQueries(db, ids, { period, now })
  return new Reading(queries, (results) => usageViews(results as UsageRows, period))
}

type Period = ReturnType<typeof periodOf>
type Sums = { id: number; n: number }[]
/** The results of `usageQueries`, in their order. */
type UsageRows = [Measured[], ...[Sums, Sums], Parts[]]

function usageQueries(db: Db, ids: number[] | SQLWrapper, { period, now }: { period: Period; now: Date }) {
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
    selectParts(db, ids, now),
  ]
}

function usageViews([rows, traffic, names, parts]: UsageRows, period: Period): UsageView[] {
  const of = (list: Sums) => new Map(list.map(({ id, n }) => [id, n]))
  const [trafficOf, aliasesOf] = [of(traffic), of(names)]
  const partsOf = new Map(parts.map((held) => [held.id, held]))
  return rows.map((row) => {
    const { id } = row.client
    const sums = { traffic: trafficOf.get(id) ?? 0, aliases: aliasesOf.get(id) ?? 0 }
    return usageView(row, { ...sums, parts: partsOf.get(id) }, period)
  })
}

/** The calendar month (UTC) over which traffic is counted. */
function periodOf(now: Date): { desde: string; hasta: string } {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
  return { desde: first.toISOString().slice(0, 10), hasta: next.toISOString().slice(0, 10) }
}
