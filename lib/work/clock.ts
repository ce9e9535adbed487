import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** By how much the clocks of two hosts may differ: what one has just written can lie in the other's future. */
export const SKEW_MS = 60_000

/**
 * Whether something is due: the rule of every queue. `atMost` is the longest time ahead, in milliseconds, that its
 * writer can have meant. A time further ahead was written before the clock was set back, and counts as past, since
 * waiting for it could take years.
 */
export function isDue(at: SQLWrapper, now: Date, atMost: number | SQL): SQL {
  return sql`(${at} <= ${now.getTime()} or ${isStray(at, now, atMost)})`
}

/**
 * Whether a lease is free: given back, expired, or written before the clock was set back. A living holder renews it.
 */
export function isFree(until: SQLWrapper, now: Date, leaseMs: number): SQL {
  return sql`(${until} is null or ${isDue(until, now, leaseMs)})`
}

/** The time by which queued work is ordered; one written before the clock was set back counts as the longest wait. */
export function turnAt(at: SQLWrapper, now: Date, atMost: number | SQL): SQL {
  return sql`case when ${isStray(at, now, atMost)} then 0 else ${at} end`
}

/** `isDue` outside of the database: the time still to be waited for; null if it is due. */
export function waitsUntil(at: Date | null, now: Date, atMostMs: number): Date | null {
  if (at === null || at <= now || at.getTime() > now.getTime() + SKEW_MS + atMostMs) return null
  return at
}

function isStray(at: SQLWrapper, now: Date, atMost: number | SQL): SQL {
  const ahead = now.getTime() + SKEW_MS
  return typeof atMost === 'number' ? sql`${at} > ${ahead + atMost}` : sql`${at} > ${ahead} + ${atMost}`
}
