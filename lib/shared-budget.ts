import { and, eq, gt, lte, min, sql, sum } from 'drizzle-orm'
import { counters } from '../schema/tables.ts'
import type { Tx } from './database.ts'

/** So many in any `windowSeconds`, over all processes. */
export type Budget = { name: string; limit: number; windowSeconds: number }

/** How much of a budget is used up, and the second of the oldest charge that counts; to be asked ahead. */
export async function usedOf(
  tx: Tx,
  { name, windowSeconds }: Budget,
  now: Date,
): Promise<{ used: number; oldest: number }> {
  const second = secondOf(now)
  const row = await tx
    .select({ used: sum(counters.count), oldest: min(counters.window) })
    .from(counters)
    .where(
      // What is still to come was charged under a clock that has since been set back.
      and(eq(counters.name, name), gt(counters.window, second - windowSeconds), lte(counters.window, second)),
    )
    .get()
  return { used: Number(row?.used ?? 0), oldest: row?.oldest ?? second }
}

/**
 * Charges one to a budget in the transaction of what it pays for, and answers 0; where nothing is left,
 * charges nothing and answers the seconds until there is.
 */
export async function charge(tx: Tx, budget: Budget, now: Date): Promise<number> {
  const { name, limit, windowSeconds } = budget
  const second = secondOf(now)
  const { used, oldest } = await usedOf(tx, budget, now)
  if (used >= limit) return Math.max(1, oldest + windowSeconds - second)
  tx.later(
    tx
      .insert(counters)
      .values({ name, window: second, count: 1 })
      .onConflictDoUpdate({ target: [counters.name, counters.window], set: { count: sql`count + 1` } }),
  )
  return 0
}

/** Charges are counted by the second, by which old ones are cleared away. */
const secondOf = (now: Date) => Math.floor(now.getTime() / 1000)
