import type { Actor, Services } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import type { Budget } from './counters.ts'

/** What tells callers apart that have a budget each. */
export const callerOf = (actor: Actor) =>
  actor.kind === 'session' ? actor.personId : actor.kind === 'token' ? actor.id : actor.kind

/** Refuses a caller that does something more often in a minute than it may: 429. */
export function chargeCaller(
  { limits, now }: Pick<Services, 'limits' | 'now'>,
  actor: Actor,
  { name, limit }: { name: string; limit: number },
): void {
  requireRoom({ limits, now }, { name: `${name}:${callerOf(actor)}`, limit, windowSeconds: 60 })
}

/** Charges one to a budget; 429 where it is used up. */
export function requireRoom({ limits, now }: Pick<Services, 'limits' | 'now'>, budget: Budget): void {
  const { allowed, resetSeconds } = limits.charge(budget, now())
  if (!allowed) throw new AppError('espera', { retryAfterSeconds: resetSeconds })
}

/**
 * What all sessions of a client write within a day. Whoever signs in can open as many sessions as they like, and each
 * sign-in leaves rows as well: it counts too.
 */
export const clientWrites = (config: Services['config'], clientId: number): Budget => ({
  name: `client-writes:${clientId}`,
  limit: config.limits.customerWritesPerDay,
  windowSeconds: 86_400,
})
