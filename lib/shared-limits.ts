import { and, eq, gt, lte, max, sql } from 'drizzle-orm'
import { counters } from '../schema/tables.ts'
import type { Database } from './database.ts'
import {
  type Limits,
  lockedFor,
  MAX_LOCK_SECONDS,
  MEMORY_SECONDS,
  remember,
  STRIKE_SECONDS,
} from './limits.ts'

/** The shift at which 60 seconds reach the longest lock-out. */
const MAX_DOUBLINGS = 4

/**
 * Limits of a host of many processes. Attacks are counted in the database, so a lock-out holds on every
 * host and ends at the same moment; a process remembers those that it met, and asks no more while they
 * last. Budgets are counted in each process, since one write a request would cost more than the requests
 * they hold back: a budget is so bounded by the number of processes times its limit.
 */
export function sharedLimits(db: Database, local: Limits): Limits {
  /** The second at which a lock-out that this process met is over. */
  const met = new Map<string, number>()
  return {
    local,
    charge: (name, limit, windowSeconds, now) => local.charge(name, limit, windowSeconds, now),
    strike: (name, limit, now) => strike(db, name, limit, secondOf(now)),
    async lockedSeconds(name, _limit, now) {
      const second = secondOf(now)
      const left = (until: number) => lockedFor(1000 * until, 1000 * second)
      const known = left(met.get(name) ?? 0)
      if (known > 0) return known
      const until = await endOfLock(db, name, second)
      if (until === null) return 0
      remember(met, name, until)
      return left(until)
    },
  }
}

const secondOf = (now: Date) => Math.floor(now.getTime() / 1000)

/** Under this name a row's window is the second at which a lock-out is over. */
const lockOf = (name: string) => `bloqueo:${name}`

/**
 * Counts the guess and, where there were too many in a minute and no lock-out holds, begins one: two
 * statements of one transaction, which the database puts in order, so that of any number of guesses at
 * once one begins it.
 */
async function strike(db: Database, name: string, limit: number, second: number): Promise<void> {
  const lock = lockOf(name)
  const struck = sql`(select sum(count) from counters where name = ${name}
    and window > ${second - STRIKE_SECONDS} and window <= ${second})`
  const locked = sql`(select 1 from counters where name = ${lock}
    and window > ${second} and window <= ${second + MAX_LOCK_SECONDS})`
  const earlier = sql`(select count(*) from counters where name = ${lock}
    and window > ${second - MEMORY_SECONDS} and window <= ${second + MAX_LOCK_SECONDS})`
  const until = sql`${second} + min(${MAX_LOCK_SECONDS}, ${STRIKE_SECONDS} << min(${MAX_DOUBLINGS}, ${earlier}))`
  await db.write(async (tx) =>
    tx.later(
      tx
        .insert(counters)
        .values({ name, window: second, count: 1 })
        .onConflictDoUpdate({
          target: [counters.name, counters.window],
          set: { count: sql`count + 1` },
        }),
      tx
        .insert(counters)
        .select(sql`select ${lock}, ${until}, 1 where ${struck} >= ${limit} and not exists ${locked}`)
        .onConflictDoNothing(),
    ),
  )
}

async function endOfLock(db: Database, name: string, second: number): Promise<number | null> {
  const row = await db.read
    .select({ until: max(counters.window) })
    .from(counters)
    .where(
      and(
        eq(counters.name, lockOf(name)),
        gt(counters.window, second),
        lte(counters.window, second + MAX_LOCK_SECONDS),
      ),
    )
    .get()
  return row?.until ?? null
}
