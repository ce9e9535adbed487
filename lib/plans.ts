import { count, eq, sql } from 'drizzle-orm'
import { clients, plans, siteNames, sites, usage, usageDays, zones } from '../schema/tables.ts'
import type { Db, Tx } from './database.ts'
import { AppError } from './errors.ts'
import { wireTime } from './page.ts'
import { type Reading, reading } from './reading.ts'
import { FUNCTIONS, type LimitsView, type PlanView } from './shapes.ts'

export type Plan = typeof plans.$inferSelect
export type PlanFunction = (typeof FUNCTIONS)[number]

// A column named bare in a selection loses its table when only one is selected from: `eq` keeps it.
const clientsOfPlan = sql<number>`(select count(*) from ${clients} where ${eq(clients.planId, plans.id)})`

/** All that a view of plans is selected from. */
export function selectPlans(db: Db) {
  return db
    .select({
      id: plans.id,
      name: plans.name,
      diskBytes: plans.diskBytes,
      inodes: plans.inodes,
      trafficBytes: plans.trafficBytes,
      sites: plans.sites,
      aliases: plans.aliases,
      zones: plans.zones,
      functions: plans.functions,
      createdAt: plans.createdAt,
      clients: clientsOfPlan,
    })
    .from(plans)
}

type PlanRow = Awaited<ReturnType<ReturnType<typeof selectPlans>['all']>>[number]

/** The plan as it is returned (contract section 2). */
export function planView(row: PlanRow): PlanView {
  return {
    plan: row.name,
    ...limitsOf(row),
    funciones: FUNCTIONS.filter((name) => row.functions.includes(name)),
    clientes: row.clients,
    creado: wireTime(row.createdAt),
  }
}

/** A plan's limits, or those of a client without one: unlimited. */
export function limitsOf(plan: Omit<Plan, 'id' | 'name' | 'functions' | 'createdAt'> | null): LimitsView {
  return {
    disco_bytes: plan?.diskBytes ?? null,
    inodos: plan?.inodes ?? null,
    trafico_bytes: plan?.trafficBytes ?? null,
    sitios: plan?.sites ?? null,
    aliases: plan?.aliases ?? null,
    zonas: plan?.zones ?? null,
  }
}

/** The view of one plan by its exact name. */
export function planReading(db: Db, name: string): Reading<PlanView> {
  return reading(selectPlans(db).where(eq(plans.name, name)), ([row]) => {
    if (!row) throw new AppError('plan_no_existe', { plan: name })
    return planView(row)
  })
}

/** 409 `ya_existe` for a name that a plan has. In a write transaction nobody can take it meanwhile. */
export async function requirePlanNameFree(tx: Tx, name: string): Promise<void> {
  const taken = await tx.select({ id: plans.id }).from(plans).where(eq(plans.name, name)).get()
  if (taken) throw new AppError('ya_existe')
}

/** A plan by its exact name; `status` is 409 where a body names it, 404 where the path does. */
export async function findPlan(db: Db, name: string, status: 404 | 409): Promise<Plan> {
  const plan = await db.select().from(plans).where(eq(plans.name, name)).get()
  if (!plan) throw new AppError('plan_no_existe', { plan: name }, { status })
  return plan
}

/** The plan of a client; null where it has none: no limits and all functions. */
export async function planOf(db: Db, client: { planId: number | null }): Promise<Plan | null> {
  if (client.planId === null) return null
  return (await db.select().from(plans).where(eq(plans.id, client.planId)).get()) ?? null
}

/** 402 `funcion_de_pago` where the plan does not include the function. */
export function requireFunction(plan: Plan | null, name: PlanFunction): void {
  if (!plan || plan.functions.includes(name)) return
  throw new AppError('funcion_de_pago', { funcion: name, plan: plan.name })
}

/** What a client holds of everything that a plan counts. */
export type Consumption = Record<keyof LimitsView, number>

/** What a client consumes now; disk and inodes as last measured, traffic of the month that `day` lies in. */
export async function consumptionOf(db: Db, clientId: number, day: string): Promise<Consumption> {
  const [names, zoneRows, measured, traffic, siteRows] = await db.batch([
    db
      .select({ aliases: sql<number>`coalesce(sum(${siteNames.alias}), 0)` })
      .from(siteNames)
      .where(eq(siteNames.clientId, clientId)),
    db.select({ zones: count() }).from(zones).where(eq(zones.clientId, clientId)),
    db
      .select({ disk: usage.diskBytes, inodes: usage.inodes })
      .from(usage)
      .where(eq(usage.clientId, clientId)),
    db
      .select({ bytes: sql<number>`coalesce(sum(${usageDays.trafficIn} + ${usageDays.trafficOut}), 0)` })
      .from(usageDays)
      .where(
        sql`${usageDays.clientId} = ${clientId} and ${usageDays.day} >= ${`${day.slice(0, 7)}-01`} and ${usageDays.day} <= ${`${day.slice(0, 7)}-31`}`,
      ),
    db
      .select({ sites: count() })
      .from(sites)
      .where(sql`${sites.clientId} = ${clientId} and ${sites.state} <> 'eliminando'`),
  ])
  return {
    disco_bytes: measured[0]?.disk ?? 0,
    inodos: measured[0]?.inodes ?? 0,
    trafico_bytes: traffic[0]?.bytes ?? 0,
    sitios: siteRows[0]?.sites ?? 0,
    aliases: names[0]?.aliases ?? 0,
    zonas: zoneRows[0]?.zones ?? 0,
  }
}

/** Which resources are above a plan's limits. */
export function excessesOf(consumption: Consumption, limits: LimitsView) {
  return (Object.keys(limits) as (keyof LimitsView)[]).flatMap((recurso) => {
    const limite = limits[recurso]
    const usado = consumption[recurso]
    return limite !== null && usado > limite ? [{ recurso, usado, limite }] : []
  })
}

type Counted = 'sitios' | 'aliases' | 'zonas'

/** 409 `limite_del_plan` when `more` of a counted resource would not fit. */
export function requireRoom(
  plan: Plan | null,
  consumption: Consumption,
  recurso: Counted,
  more: number,
): void {
  const limite = limitsOf(plan)[recurso]
  const usado = consumption[recurso]
  if (limite !== null && more > 0 && usado + more > limite) {
    throw new AppError('limite_del_plan', { recurso, usado, limite })
  }
}

/** Whether one more of a counted resource fits. */
export function hasRoom(plan: Plan | null, consumption: Consumption, recurso: Counted): boolean {
  const limite = limitsOf(plan)[recurso]
  return limite === null || consumption[recurso] < limite
}

/** 507 `sin_espacio` for an operation that writes, at or over a hard limit (contract section 5, "Use"). */
export function requireSpace(plan: Plan | null, consumption: Consumption): void {
  const limits = limitsOf(plan)
  for (const [recurso, key] of [
    ['disco', 'disco_bytes'],
    ['inodos', 'inodos'],
  ] as const) {
    const limite = limits[key]
    if (limite !== null && consumption[key] >= limite) {
      throw new AppError('sin_espacio', { recurso, usado: consumption[key], limite })
    }
  }
}
