import { and, eq, sql } from 'drizzle-orm'
import { counters } from '../schema/tables.ts'
import type { Tx } from './database.ts'

/** So many in each window of time, over all processes. */
export type Budget = { name: string; limit: number; windowSeconds: number }

/** How much of a budget's present window is used up; to be asked ahead. */
export async function usedOf(tx: Tx, { name, windowSeconds }: Budget, now: Date): Promise<number> {
  const row = await tx
    .select({ count: counters.count })
    .from(counters)
    .where(and(eq(counters.name, name), eq(counters.window, startOf(windowSeconds, now))))
    .get()
  return row?.count ?? 0
}

/**
 * Charges one to a budget in the transaction of what it pays for, and answers 0; where nothing is left,
 * charges nothing and answers the seconds until the next window.
 */
export async function charge(tx: Tx, budget: Budget, now: Date): Promise<number> {
  const { name, limit, windowSeconds } = budget
  const window = startOf(windowSeconds, now)
  if ((await usedOf(tx, budget, now)) >= limit) {
    return Math.max(1, window + windowSeconds - Math.floor(now.getTime() / 1000))
  }
  tx.later(
    tx
      .insert(counters)
      .values({ name, window, count: 1 })
      .onConflictDoUpdate({ target: [counters.name, counters.window], set: { count: sql`count + 1` } }),
  )
  return 0
}

/** Windows are seconds, by which old ones are cleared away. */
function startOf(windowSeconds: number, now: Date): number {
  const second = Math.floor(now.getTime() / 1000)
  return second - (second % windowSeconds)
}
