import { inArray, sql } from 'drizzle-orm'
import { counters } from '../schema/tables.ts'
import type { Database, Db, Tx } from './database.ts'
import {
  type Count,
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
    strike: (counts, now) =>
      db.write(async (tx) => {
        for (const count of counts) strike(tx, count, secondOf(now))
      }),
    async lockedSeconds(names, now, within = db.read) {
      const second = secondOf(now)
      const left = (until: number) => lockedFor(1000 * until, 1000 * second)
      const known = Math.max(...names.map((name) => left(met.get(name) ?? 0)))
      if (known > 0) return known
      const found = (await locksOf(within, names)).filter(({ until }) => left(until) > 0)
      for (const { name, until } of found) remember(met, name, until)
      return Math.max(0, ...found.map(({ until }) => left(until)))
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
function strike(tx: Tx, { name, limit }: Count, second: number): void {
  const lock = lockOf(name)
  const struck = sql`(select sum(count) from counters where name = ${name}
    and window > ${second - STRIKE_SECONDS} and window <= ${second})`
  const locked = sql`(select 1 from counters where name = ${lock}
    and window > ${second} and window <= ${second + MAX_LOCK_SECONDS})`
  const earlier = sql`(select count(*) from counters where name = ${lock}
    and window > ${second - MEMORY_SECONDS} and window <= ${second + MAX_LOCK_SECONDS})`
  const until = sql`${second} + min(${MAX_LOCK_SECONDS}, ${STRIKE_SECONDS} << min(${MAX_DOUBLINGS}, ${earlier}))`
  tx.later(
    tx
      .insert(counters)
      .values({ name, window: second, count: 1 })
      .onConflictDoUpdate({ target: [counters.name, counters.window], set: { count: sql`count + 1` } }),
    tx
      .insert(counters)
      .select(sql`select ${lock}, ${until}, 1 where ${struck} >= ${limit} and not exists ${locked}`)
      .onConflictDoNothing(),
  )
}

/** When the lock-outs of these names are over, in seconds; the query is the same all through a request. */
async function locksOf(db: Db, names: string[]) {
  const rows = await db
    .select({ lock: counters.name, until: counters.window })
    .from(counters)
    .where(inArray(counters.name, names.map(lockOf)))
  return names.flatMap((name) =>
    rows.filter(({ lock }) => lock === lockOf(name)).map(({ until }) => ({ name, until })),
  )
}
