import { AppError } from '../endpoint/errors.ts'
import { type FUNCTIONS, type LimitsView, MOST_OPEN } from './shapes.ts'
import { limitsOf, type Plan } from './view.ts'

export type { Plan } from './view.ts'

export type PlanFunction = (typeof FUNCTIONS)[number]

/** The plan, or an error: 409 if a body named it, 404 if the path did. */
export function requirePlan<P>(found: P | undefined, name: string, status: 404 | 409): P {
  if (!found) throw new AppError('plan_no_existe', { plan: name }, { status })
  return found
}

/** 409 `ya_existe` if another plan has the name. */
export function requirePlanNameFree(holder: { id: number } | undefined, own?: { id: number }): void {
  if (holder && holder.id !== own?.id) throw new AppError('ya_existe')
}

/** 409 `plan_en_uso` if clients have the plan. */
export function requireUnused(plan: { clients: number }): void {
  if (plan.clients > 0) throw new AppError('plan_en_uso')
}

/** 402 `funcion_de_pago` where the plan does not include the function. */
export function requireFunction(plan: Plan | null, name: PlanFunction): void {
  if (!plan || plan.functions.includes(name)) return
  throw new AppError('funcion_de_pago', { funcion: name, plan: plan.name })
}

/** What a client has of everything that a plan limits. */
export type Consumption = Record<keyof LimitsView, number>

/** The resources that are above a plan's limits. */
export function excessesOf(consumption: Consumption, limits: LimitsView) {
  return (Object.keys(limits) as (keyof LimitsView)[]).flatMap((recurso) => {
    const limite = limits[recurso]
    const usado = consumption[recurso]
    return limite !== null && usado > limite ? [{ recurso, usado, limite }] : []
  })
}

type Counted = 'sitios' | 'aliases' | 'zonas' | 'cuentas_sftp' | 'bases' | 'programadas'

/** 409 `limite_del_plan` when `more` of a counted resource would not fit. */
export function requireRoom(
  plan: Plan | null,
  consumption: Consumption,
  recurso: Counted,
  more: number,
): void {
  const limite = limitsOf(plan)[recurso] ?? MOST_OPEN[recurso] ?? null
  const usado = consumption[recurso]
  if (limite !== null && more > 0 && usado + more > limite) {
    throw new AppError('limite_del_plan', { recurso, usado, limite })
  }
}

/** Whether one more of a counted resource fits. */
export function hasRoom(plan: Plan | null, consumption: Consumption, recurso: Counted): boolean {
  const limite = limitsOf(plan)[recurso] ?? MOST_OPEN[recurso] ?? null
  return limite === null || consumption[recurso] < limite
}

/** 507 `sin_espacio` for an operation that writes, at or over a hard limit (docs/api.md, "Use"). */
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
