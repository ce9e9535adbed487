import type { Actor, Services } from '../../lib/endpoint/context.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { clientWrites } from '../../lib/store/charge.ts'
import { addressKey, type LimitState } from '../../lib/store/counters.ts'

const MINUTE = 60
const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * The result of a charge: rate headers for every answer, refusals included, and the seconds to wait after a refusal.
 */
export type Charge = { headers: Record<string, string>; remaining: number; waitSeconds: number | null }

const FREE: Charge = { headers: {}, remaining: Number.POSITIVE_INFINITY, waitSeconds: null }

/** Charges a bearer's budget (docs/api.md, "Limits"). */
export function chargeBearer(services: Services, actor: Actor, method: string): Charge {
  if (actor.kind !== 'token' && actor.kind !== 'session') return FREE
  const { requestsPerMinute, writesPerMinute } = services.config.limits
  const charged = (policy: string, name: string, limit: number) => {
    const budget = { name: `${name}:${actor.id}`, limit, windowSeconds: MINUTE }
    return charge(policy, services.limits.charge(budget, services.now()), MINUTE)
  }
  const all = charged('peticiones', 'bearer', requestsPerMinute)
  if (all.waitSeconds !== null || !WRITES.has(method)) return all
  const writes = charged('escrituras', 'writes', writesPerMinute)
  if (writes.waitSeconds !== null) return writes
  const day = chargeDay(services, actor)
  return day?.waitSeconds != null ? day : leastLeft(all, writes)
}

/** Of a client's sessions together; null for others. */
function chargeDay(services: Services, actor: Actor): Charge | null {
  if (actor.kind !== 'session' || actor.client === null) return null
  const budget = clientWrites(services.config, actor.client.id)
  return charge('escrituras-dia', services.limits.charge(budget, services.now()), budget.windowSeconds)
}

/** Headers describe one budget: that with less left. */
const leastLeft = (one: Charge, other: Charge): Charge => (other.remaining < one.remaining ? other : one)

/** Charges the budget that an address has for signing in. */
export function chargeAddress(services: Services, address: string): Charge {
  const { accessPerMinute } = services.config.limits
  const budget = { name: `acceso:${addressKey(address)}`, limit: accessPerMinute, windowSeconds: MINUTE }
  return charge('acceso', services.limits.charge(budget, services.now()), MINUTE)
}

/** 429 where the budget is used up. */
export function requireBudget({ waitSeconds }: Charge): void {
  if (waitSeconds !== null) throw new AppError('espera', { retryAfterSeconds: waitSeconds })
}

const charge = (policy: string, state: LimitState, windowSeconds: number): Charge => ({
  headers: rateHeaders(policy, state, windowSeconds),
  remaining: state.remaining,
  waitSeconds: state.allowed ? null : state.resetSeconds,
})

/** `RateLimit` and `RateLimit-Policy` (IETF httpapi draft, structured fields). */
function rateHeaders(policy: string, state: LimitState, windowSeconds: number): Record<string, string> {
  return {
    'ratelimit-policy': `"${policy}";q=${state.limit};w=${windowSeconds}`,
    ratelimit: `"${policy}";r=${state.remaining};t=${state.resetSeconds}`,
  }
}
