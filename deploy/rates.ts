import type { Actor, Services } from '../lib/context.ts'
import { AppError } from '../lib/errors.ts'
import type { LimitState } from '../lib/limits.ts'

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Charges a bearer's budget (contract section 1, "Limits"); answers the headers that tell of it. */
export function chargeBearer(services: Services, actor: Actor, method: string): Record<string, string> {
  if (actor.kind !== 'token' && actor.kind !== 'session') return {}
  const { requestsPerMinute, writesPerMinute } = services.config.limits
  const now = services.now()
  const all = services.limits.charge(`bearer:${actor.id}`, requestsPerMinute, 60, now)
  const writes = WRITES.has(method)
    ? services.limits.charge(`writes:${actor.id}`, writesPerMinute, 60, now)
    : null
  if (!all.allowed) throw new AppError('espera', { retryAfterSeconds: all.resetSeconds })
  if (writes && !writes.allowed) throw new AppError('espera', { retryAfterSeconds: writes.resetSeconds })
  return writes && writes.remaining < all.remaining
    ? rateHeaders('escrituras', writes)
    : rateHeaders('peticiones', all)
}

/** `RateLimit` and `RateLimit-Policy` (IETF httpapi draft, structured fields). */
export function rateHeaders(policy: string, state: LimitState): Record<string, string> {
  return {
    'ratelimit-policy': `"${policy}";q=${state.limit};w=60`,
    ratelimit: `"${policy}";r=${state.remaining};t=${state.resetSeconds}`,
  }
}
