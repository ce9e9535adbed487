import { and, eq, gt, inArray, lte, min, type SQL, sql, sum } from 'drizzle-orm'
import { counters } from '../../schema/tables.ts'
import type { Database, Db, Tx } from './database.ts'
import type { Query } from './reading.ts'

/**
 * Counts how often something was done recently: the base of budgets, limits and lock-outs. Counts are kept per
 * second (those of longer windows more coarsely), in this process or in the database. A count dated in the future was made before the clock was set back, and
 * is ignored.
 */

/** The state of one limit after it was charged. */
export type LimitState = { allowed: boolean; limit: number; remaining: number; resetSeconds: number }

/** A name to count attacks under, and how many of them in a minute lead to a lock-out. */
export type Count = { name: string; limit: number }

/** Counters of requests and strikes; `sharedLimits` says which of them hold across processes. */
export interface Limits {
  /** The same limits counted in this process alone, for checks that must cost no query. */
  readonly local: Limits
  /**
   * Charges one to a budget; a refused charge is not counted. `resetSeconds` says when the budget will have more
   * room.
   */
  charge(budget: Budget, now: Date): LimitState
  /** Counts one attack under each of these names; too many in a minute begin a lock-out, each longer than the last. */
  strike(counts: Count[], now: Date): void | Promise<void>
  /** Seconds until none of these names is locked out; 0 when none is. Read from `db` if the limits are shared. */
  lockedSeconds(names: string[], now: Date, db?: Db): number | Promise<number>
}

/** At most `limit` in any `windowSeconds`. */
export type Budget = { name: string; limit: number; windowSeconds: number }

/** What was done within one slice of time: how often, and when last, in milliseconds. */
type Counted = { slice: number; count: number; last: number }
/** The strikes of the last minute, and the lock-outs that they led to. */
type Strikes = { recent: Counted[]; lockouts: number; until: number }

const MAX_NAMES = 50_000
/** How many counts are kept of one window at most: a minute's by the second, a day's by the quarter of an hour. */
const SLICES = 100
/** For how long strikes count together. */
const STRIKE_SECONDS = 60
/** The longest lock-out. */
export const MAX_LOCK_SECONDS = 900
/** After this many doublings the first lock-out has become the longest. */
const MAX_DOUBLINGS = 4
/** Lock-outs that ended within this time make the next one longer. */
const MEMORY_SECONDS = 3600

/**
 * Seconds until a lock-out is over, from instants in milliseconds; 0 if it is. One that ends further ahead than the
 * longest possible began before the clock was set back.
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
      if (allowed) addTo(held, at, Math.max(1, Math.ceil(windowSeconds / SLICES)))
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

/** Adds to the entry of this slice of time, so that a name takes few entries however often it is charged. */
function addTo(counted: Counted[], at: number, sliceSeconds = 1): void {
  const slice = Math.floor(at / 1000 / sliceSeconds)
  const current = counted.at(-1)
  if (current?.slice === slice) Object.assign(current, { count: current.count + 1, last: at })
  else counted.push({ slice, count: 1, last: at })
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
 * Limits for one of many processes. Attacks are counted in the database, so a lock-out holds on every host and ends
 * at the same moment; a process remembers the lock-outs that it met and asks no more while they last. Budgets are
 * counted per process, since one write per request would cost more than the requests that it holds back: the
 * effective budget is at most its limit times the number of processes.
 */
export function sharedLimits(db: Database, local: Limits): Limits {
  /** The second at which each lock-out that this process met is over. */
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

/** In rows of this name, `window` is the second at which the lock-out is over. */
const lockOf = (name: string) => `bloqueo:${name}`

/** Counts one, in the transaction of the counted action. */
const countOne = (tx: Tx, name: string, second: number) =>
  tx
    .insert(counters)
    .values({ name, window: second, count: 1 })
    .onConflictDoUpdate({ target: [counters.name, counters.window], set: { count: sql`count + 1` } })

/**
 * Counts the guess and begins a lock-out if there were too many in a minute and none holds. Two statements in one
 * transaction, which the database serialises: of any number of guesses at once, only one begins it.
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

/** When the lock-outs of these names are over, in seconds; the query stays the same within a request. */
async function locksOf(db: Db, names: string[]) {
  const rows = await db
    .select({ lock: counters.name, until: counters.window })
    .from(counters)
    .where(inArray(counters.name, names.map(lockOf)))
  return names.flatMap((name) =>
    rows.filter(({ lock }) => lock === lockOf(name)).map(({ until }) => ({ name, until })),
  )
}

/** How much of a budget is used up, and the second of the oldest charge that still counts. */
export async function usedOf(
  tx: Tx,
  { name, windowSeconds }: { name: string | SQL; windowSeconds: number },
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

/** The seconds until a budget has room for another charge; 0 if it has. */
export function waitFor(
  { limit, windowSeconds }: Budget,
  { used, oldest }: Awaited<ReturnType<typeof usedOf>>,
  now: Date,
): number {
  return used < limit ? 0 : Math.max(1, oldest + windowSeconds - secondOf(now))
}

/** Charges one to a budget, in the transaction of what the budget limits. */
export const chargeOne = (tx: Tx, { name }: Pick<Budget, 'name'>, now: Date): Query =>
  countOne(tx, name, secondOf(now))

/** The key under which an address is counted: an IPv6 host controls its whole /64. */
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
