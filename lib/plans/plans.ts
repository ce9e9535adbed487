import { and, between, eq, getTableColumns, inArray, type SQLWrapper, sql } from 'drizzle-orm'
import { clients, plans, siteNames, usage, usageDays } from '../../schema/tables.ts'
import { visibleTo } from '../clients/clients.ts'
import { isCustomer } from '../endpoint/access.ts'
import type { Actor } from '../endpoint/context.ts'
import type { Db } from '../store/database.ts'
import { type Reading, reading } from '../store/reading.ts'
import { type Consumption, requirePlan } from './decide.ts'
import { selectParts } from './parts.ts'
import type { PlanView } from './shapes.ts'
import { type Plan, partsView, planView } from './view.ts'

// With a single table in the selection drizzle drops the table's name from a bare column; inside `eq` it stays.
const clientsOfPlan = sql<number>`(select count(*) from ${clients} where ${eq(clients.planId, plans.id)})`

/** The columns that a view of plans needs. */
export function selectPlans(db: Db) {
  return db.select({ ...getTableColumns(plans), clients: clientsOfPlan }).from(plans)
}

/** The plans that an actor may see: all for an operator, only its own for a customer. Part of every WHERE. */
export const plansVisibleTo = (db: Db, actor: Actor) =>
  isCustomer(actor)
    ? inArray(plans.id, db.select({ id: clients.planId }).from(clients).where(visibleTo(actor)))
    : undefined

/** The view of one plan by its exact name. */
export function planReading(db: Db, name: string): Reading<PlanView> {
  return reading(selectPlans(db).where(eq(plans.name, name)), ([row]) => {
    return planView(requirePlan(row, name, 404))
  })
}

/** The plan of this exact name, if there is one. */
export const planNamed = (db: Db, name: string): Promise<Plan | undefined> =>
  db.select().from(plans).where(eq(plans.name, name)).get()

/** What a client uses now: disk as last measured, traffic of the month, mail of the last 24 hours. */
export async function consumptionOf(db: Db, clientId: number | SQLWrapper, now: Date): Promise<Consumption> {
  const month = now.toISOString().slice(0, 7)
  const [names, measured, traffic, parts] = await db.batch([
    db
      .select({ aliases: sql<number>`coalesce(sum(${siteNames.alias}), 0)` })
      .from(siteNames)
      .where(eq(siteNames.clientId, clientId)),
    db
      .select({ disk: usage.diskBytes, inodes: usage.inodes, groups: usage.groups })
      .from(usage)
      .where(eq(usage.clientId, clientId)),
    db
      .select({ bytes: sql<number>`coalesce(sum(${usageDays.trafficIn} + ${usageDays.trafficOut}), 0)` })
      .from(usageDays)
      .where(and(eq(usageDays.clientId, clientId), between(usageDays.day, `${month}-01`, `${month}-31`))),
    selectParts(db, typeof clientId === 'number' ? [clientId] : clientId, now),
  ])
  const groups = measured[0]?.groups
  return {
    disco_bytes: measured[0]?.disk ?? 0,
    inodos: measured[0]?.inodes ?? 0,
    trafico_bytes: traffic[0]?.bytes ?? 0,
    aliases: names[0]?.aliases ?? 0,
    cpu_porcentaje: groups?.lately?.cpuPercent ?? 0,
    memoria_bytes: groups?.memoryBytes ?? 0,
    procesos: groups?.processes ?? 0,
    ...partsView(parts[0]),
  }
}
