import { and, eq, gte, sql } from 'drizzle-orm'
import { counters } from '../schema/tables.ts'
import type { Database } from './database.ts'
import type { Limits } from './limits.ts'

/** Same lock as in memory: 60 s, doubled by each lock-out of the last hour, at most 15 minutes. */
const MAX_LOCK_SECONDS = 900
const HOUR_SECONDS = 3600

/**
 * Limits of a host of many processes. Attacks are counted in the database too, so a lock-out holds on
 * every host; budgets are counted in each process, since one write a request would cost more than the
 * requests they hold back. A budget is so bounded by the number of processes times its limit.
 */
export function sharedLimits(db: Database, local: Limits): Limits {
  return {
    local,
    charge: (name, limit, windowSeconds, now) => local.charge(name, limit, windowSeconds, now),
    async strike(name, limit, now) {
      await local.strike(name, limit, now)
      const window = minuteOf(now)
      await db.write(async (tx) =>
        tx.later(
          tx
            .insert(counters)
            .values({ name, window, count: 1 })
            .onConflictDoUpdate({
              target: [counters.name, counters.window],
              set: { count: sql`count + 1` },
            }),
        ),
      )
    },
    async lockedSeconds(name, limit, now) {
      const waiting = await local.lockedSeconds(name, limit, now)
      if (waiting > 0) return waiting
      return lockOf(await lockouts(db, name, limit, now), now)
    },
  }
}

const minuteOf = (now: Date) => Math.floor(now.getTime() / 60_000) * 60

/** The minutes of the last hour in which there were too many, oldest first. */
async function lockouts(db: Database, name: string, limit: number, now: Date): Promise<number[]> {
  const rows = await db.read
    .select({ window: counters.window })
    .from(counters)
    .where(
      and(
        eq(counters.name, name),
        gte(counters.window, minuteOf(now) - HOUR_SECONDS),
        gte(counters.count, limit),
      ),
    )
    .orderBy(counters.window)
  return rows.map(({ window }) => window)
}

/** Each lock-out begins in its minute and lasts longer than the one before. */
function lockOf(windows: number[], now: Date): number {
  const second = Math.floor(now.getTime() / 1000)
  const ends = windows.map((window, i) => window + 60 + Math.min(MAX_LOCK_SECONDS, 60 * 2 ** i))
  return Math.max(0, ...ends.map((end) => end - second).filter((left) => left <= MAX_LOCK_SECONDS + 60))
}
