import { and, eq, gt, inArray, lte, min, sql, sum } from 'drizzle-orm'
import { counters } from '../../schema/tables.ts'
import type { Database, Db, Tx } from './database.ts'
import type { Query } from './reading.ts'

/**
 * Counts how often something was done lately: the base of budgets, limits and lock-outs. A count is kept per second,
 * in this process or in the database; one dated in the future was made under a clock since set back and is ignored.
 */

/** The state of one limit after it was charged. */
export type LimitState = { allowed: boolean; limit: number; remaining: number; resetSeconds: number }

/** A name to count attacks under, and how many of them in a minute lead to a lock-out. */
export type Count = { name: string; limit: number }

/** Counters of requests and strikes; `sharedLimits` tells what holds across processes. */
export interface Limits {
  /** These limits as counted in this process alone, for checks that must cost no query. */
  readonly local: Limits
  /**
   * Charges one to a budget; a refused charge is not counted. `resetSeconds` is when the budget has more room than
   * now.
   */
  charge(budget: Budget, now: Date): LimitState
  /** Counts one attack under each of these; too many of them in a minute begin a lock-out, each longer than the last. */
  strike(counts: Count[], now: Date): void | Promise<void>
  /** Seconds until none of these names is locked out; 0 when none is. Read from `db` if the limits are shared. */
  lockedSeconds(names: string[], now: Date, db?: Db): number | Promise<number>
}

/** At most `limit` in any `windowSeconds`. */
export type Budget = { name: string; limit: number; windowSeconds: number }

/** What was done within one second: how often, and when last, in milliseconds. */
type Counted = { second: number; count: number; last: number }
/** The strikes of the last minute, and the lock-outs that they led to. */
type Strikes = { recent: Counted[]; lockouts: number; until: number }

const MAX_NAMES = 50_000
/** Strikes count together for this long. */
const STRIKE_SECONDS = 60
/** The longest lock-out. */
export const MAX_LOCK_SECONDS = 900
/** The shift at which the first lock-out reaches the longest. */
const MAX_DOUBLINGS = 4
/** Lock-outs that ended within this time make the next one longer. */
const MEMORY_SECONDS = 3600

/**
 * Seconds until a lock-out is over, from instants in milliseconds; 0 when it is. One further ahead than the
 * longest began under a clock that has since been set back.
 */
export function lockedFor(until: number, at: number): number {
  const left = Math.ceil((until - at) / 1000)
  return left > 0 && left <= MAX_LOCK_SECONDS ? left : 0
}

/** Limits kept in this process's memory, bounded in size. */
export function memoryLimits(): Limits {
  const charges = new Map<string, Counted[]>()
  const strikes = new Map<string, Strikes>()
  const limits: Limits = {
    get local() {
      return limits
    },
    charge({ name, limit, windowSeconds }, now) {
      const at = now.getTime()
      const held = within(charges.get(name), windowSeconds, at)
      const used = total(held)
      const allowed = used < limit
      if (allowed) addTo(held, at)
      remember(charges, name, held)
      const oldest = held[0]?.last ?? at
      return {
        allowed,
        limit,
        remaining: Math.max(0, limit - used - (allowed ? 1 : 0)),
        resetSeconds: Math.max(1, Math.ceil((oldest - at) / 1000 + windowSeconds)),
      }
    },
    strike(counts, now) {
      for (const { name, limit } of counts)
        remember(strikes, name, struck(strikes.get(name), limit, now.getTime()))
    },
    lockedSeconds(names, now) {
      return Math.max(...names.map((name) => lockedFor(strikes.get(name)?.until ?? 0, now.getTime())))
    },
  }
  return limits
}

/** The strikes of a name after one more; a lock-out that already holds is not prolonged. */
function struck(so: Strikes = { recent: [], lockouts: 0, until: 0 }, limit: number, at: number): Strikes {
  if (lockedFor(so.until, at) > 0) return so
  const recent = within(so.recent, STRIKE_SECONDS, at)
  addTo(recent, at)
  const before = so.until > at - 1000 * MEMORY_SECONDS && so.until <= at ? so.lockouts : 0
  if (total(recent) < limit) return { ...so, recent, lockouts: before }
  const seconds = Math.min(MAX_LOCK_SECONDS, STRIKE_SECONDS * 2 ** before)
  return { recent: [], lockouts: before + 1, until: at + 1000 * seconds }
}

const within = (counted: Counted[] | undefined, windowSeconds: number, at: number): Counted[] =>
  (counted ?? []).filter(({ last }) => last > at - 1000 * windowSeconds && last <= at)

const total = (counted: Counted[]) => counted.reduce((sum, { count }) => sum + count, 0)

/** One entry a second, so that a name takes no more memory than its window has seconds. */
function addTo(counted: Counted[], at: number): void {
  const second = Math.floor(at / 1000)
  const current = counted.at(-1)
  if (current?.second === second) Object.assign(current, { count: current.count + 1, last: at })
  else counted.push({ second, count: 1, last: at })
}

/** Keeps the map bounded: the entry touched longest ago goes first. */
function remember<T>(map: Map<string, T>, name: string, value: T): void {
  map.delete(name)
  map.set(name, value)
  if (map.size > MAX_NAMES) {
    const oldest = map.keys().next()
    if (!oldest.done) map.delete(oldest.value)
  }
}

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
    charge: local.charge,
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

/** Counts one in the transaction that does the counted thing. */
const countOne = (tx: Tx, name: string, second: number) =>
  tx
    .insert(counters)
    .values({ name, window: second, count: 1 })
    .onConflictDoUpdate({ target: [counters.name, counters.window], set: { count: sql`count + 1` } })

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
    countOne(tx, name, second),
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

/** How much of a budget is used up, and the second of the oldest charge that counts. */
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
      and(eq(counters.name, name), gt(counters.window, second - windowSeconds), lte(counters.window, second)),
    )
    .get()
  return { used: Number(row?.used ?? 0), oldest: row?.oldest ?? second }
}

/** The seconds until a budget has room for another charge; 0 where it has. */
export function waitFor(
  { limit, windowSeconds }: Budget,
  { used, oldest }: Awaited<ReturnType<typeof usedOf>>,
  now: Date,
): number {
  return used < limit ? 0 : Math.max(1, oldest + windowSeconds - secondOf(now))
}

/** Charges one to a budget, in the transaction of what it pays for. */
export const chargeOne = (tx: Tx, { name }: Budget, now: Date): Query => countOne(tx, name, secondOf(now))

/** The key that an address is counted under: an IPv6 host commands its whole /64. */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1]) return mapped[1]
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? ['']
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups =
    tail === undefined
      ? left
      : [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((g) => Number.parseInt(g, 16).toString(16))
    .join(':')}::/64`
}
