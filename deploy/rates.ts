import type { Actor, Services } from '../lib/context.ts'
import { AppError } from '../lib/errors.ts'
import { addressKey, type LimitState } from '../lib/limits.ts'

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** What was charged: the headers that tell of it, also beside a refusal, and the seconds to wait for one. */
export type Charge = { headers: Record<string, string>; waitSeconds: number | null }

/** Charges a bearer's budget (contract section 1, "Limits"). */
export function chargeBearer(services: Services, actor: Actor, method: string): Charge {
  if (actor.kind !== 'token' && actor.kind !== 'session') return { headers: {}, waitSeconds: null }
  const { requestsPerMinute, writesPerMinute } = services.config.limits
  const now = services.now()
  const all = services.limits.charge(`bearer:${actor.id}`, requestsPerMinute, 60, now)
  const writes = WRITES.has(method)
    ? services.limits.charge(`writes:${actor.id}`, writesPerMinute, 60, now)
    : null
  // The one that refuses is told; of two that do not, the one that is nearer its end.
  const ofWrites = writes && all.allowed && (!writes.allowed || writes.remaining < all.remaining)
  return ofWrites ? charge('escrituras', writes) : charge('peticiones', all)
}

/** Charges the budget that an address has for signing in. */
export function chargeAddress(services: Services, address: string): Charge {
  const { accessPerMinute } = services.config.limits
  const name = `acceso:${addressKey(address)}`
  return charge('acceso', services.limits.charge(name, accessPerMinute, 60, services.now()))
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
