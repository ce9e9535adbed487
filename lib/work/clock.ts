import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** By how much the clocks of two hosts of one panel may differ: what one has just written is in the other's future. */
export const SKEW_MS = 60_000

/**
 * Whether the time of something has come: the rule of every queue. `atMost` is how far ahead, in milliseconds, its
 * writer can have meant to put it. A moment further ahead was written under a clock that has since been set back and
 * counts as past, since waiting for it could take years.
 */
export function isDue(at: SQLWrapper, now: Date, atMost: number | SQL): SQL {
  return sql`(${at} <= ${now.getTime()} or ${isStray(at, now, atMost)})`
}

/**
 * Whether a lease is free: given back, run out, or written under a clock since set back. A living holder renews it.
 */
export function isFree(until: SQLWrapper, now: Date, leaseMs: number): SQL {
  return sql`(${until} is null or ${isDue(until, now, leaseMs)})`
}

/** The moment by which turns are ordered: one from a clock since set back counts as the longest wait. */
export function turnAt(at: SQLWrapper, now: Date, atMost: number | SQL): SQL {
  return sql`case when ${isStray(at, now, atMost)} then 0 else ${at} end`
}

/** `isDue` outside of the database: the moment that is still to be waited for, null where there is none. */
export function waitsUntil(at: Date | null, now: Date, atMostMs: number): Date | null {
  if (at === null || at <= now || at.getTime() > now.getTime() + SKEW_MS + atMostMs) return null
  return at
}

function isStray(at: SQLWrapper, now: Date, atMost: number | SQL): SQL {
  const ahead = now.getTime() + SKEW_MS
  return typeof atMost === 'number' ? sql`${at} > ${ahead + atMost}` : sql`${at} > ${ahead} + ${atMost}`
}
