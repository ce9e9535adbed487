import type { Actor, Services } from '../../lib/endpoint/context.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { addressKey, type LimitState } from '../../lib/store/counters.ts'

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * The result of a charge: rate headers for every answer, refusals included, and the seconds to wait after a refusal.
 */
export type Charge = { headers: Record<string, string>; waitSeconds: number | null }

/** Charges a bearer's budget (docs/api.md, "Limits"). */
export function chargeBearer(services: Services, actor: Actor, method: string): Charge {
  if (actor.kind !== 'token' && actor.kind !== 'session') return { headers: {}, waitSeconds: null }
  const { requestsPerMinute, writesPerMinute } = services.config.limits
  const now = services.now()
  const charged = (name: string, limit: number) =>
    services.limits.charge({ name: `${name}:${actor.id}`, limit, windowSeconds: 60 }, now)
  const all = charged('bearer', requestsPerMinute)
  const writes = WRITES.has(method) ? charged('writes', writesPerMinute) : null
  // The headers describe the budget that refuses, or else the one with less left.
  const ofWrites = writes && all.allowed && (!writes.allowed || writes.remaining < all.remaining)
  return ofWrites ? charge('escrituras', writes) : charge('peticiones', all)
}

/** Charges the budget that an address has for signing in. */
export function chargeAddress(services: Services, address: string): Charge {
  const { accessPerMinute } = services.config.limits
  const budget = { name: `acceso:${addressKey(address)}`, limit: accessPerMinute, windowSeconds: 60 }
  return charge('acceso', services.limits.charge(budget, services.now()))
}

/** 429 where the budget is used up. */
export function requireBudget({ waitSeconds }: Charge): void {
  if (waitSeconds !== null) throw new AppError('espera', { retryAfterSeconds: waitSeconds })
}

const charge = (policy: string, state: LimitState): Charge => ({
  headers: rateHeaders(policy, state),
  waitSeconds: state.allowed ? null : state.resetSeconds,
})

/** `RateLimit` and `RateLimit-Policy` (IETF httpapi draft, structured fields). */
function rateHeaders(policy: string, state: LimitState): Record<string, string> {
  return {
    'ratelimit-policy': `"${policy}";q=${state.limit};w=60`,
    ratelimit: `"${policy}";r=${state.remaining};t=${state.resetSeconds}`,
  }
}
