import type { Db } from './database.ts'

/** The state of one limit after it was charged. */
export type LimitState = { allowed: boolean; limit: number; remaining: number; resetSeconds: number }

/** Under what an attack is counted, and how many of them in a minute lead to a lock-out. */
export type Count = { name: string; limit: number }

/** Counters of requests and strikes; `lib/shared-limits.ts` tells what holds across processes. */
export interface Limits {
  /** The same of this process alone, for what must cost no query. */
  readonly local: Limits
  /**
   * Charges one to a name's budget of `limit` in any `windowSeconds`; what is refused is not charged. `resetSeconds`
   * is when there is more of it than now.
   */
  charge(name: string, limit: number, windowSeconds: number, now: Date): LimitState
  /** Counts one attack under each of these; too many of them in a minute begin a lock-out, each longer than the last. */
  strike(counts: Count[], now: Date): void | Promise<void>
  /** Seconds until none of these names is locked out any more; 0 when none is. Looked up in `db`, where it is. */
  lockedSeconds(names: string[], now: Date, db?: Db): number | Promise<number>
}

/** What was charged within one second: how much, and when last, in milliseconds. */
type Charged = { second: number; count: number; last: number }
/** When the strikes of the last minute came, in milliseconds, and the lock-outs that they led to. */
type Strikes = { recent: number[]; lockouts: number; until: number }

const MAX_NAMES = 50_000
/** Strikes count together for this long. */
export const STRIKE_SECONDS = 60
/** The longest lock-out. */
export const MAX_LOCK_SECONDS = 900
/** Lock-outs that ended within this time make the next one longer. */
export const MEMORY_SECONDS = 3600

/** Limits kept in this process's memory, bounded in size. */
export function memoryLimits(): Limits {
  const charges = new Map<string, Charged[]>()
  const strikes = new Map<string, Strikes>()
  const limits: Limits = {
    get local() {
      return limits
    },
    charge(name, limit, windowSeconds, now) {
      const at = now.getTime()
      const windowMs = 1000 * windowSeconds
      // What is still to come was charged under a clock that has since been set back.
      const held = (charges.get(name) ?? []).filter(({ last }) => last > at - windowMs && last <= at)
      const used = held.reduce((sum, { count }) => sum + count, 0)
      const allowed = used < limit
      if (allowed) note(held, at)
      remember(charges, name, held)
      const oldest = held[0]?.last ?? at
      return {
        allowed,
        limit,
        remaining: Math.max(0, limit - used - (allowed ? 1 : 0)),
        resetSeconds: Math.max(1, Math.ceil((oldest + windowMs - at) / 1000)),
      }
    },
    strike(counts, now) {
      for (const count of counts) strikeOne(count, now.getTime())
    },
    lockedSeconds(names, now) {
      return Math.max(...names.map((name) => lockedFor(strikes.get(name)?.until ?? 0, now.getTime())))
    },
  }
  return limits

  function strikeOne({ name, limit }: Count, at: number): void {
    const { recent, lockouts, until } = strikes.get(name) ?? { recent: [], lockouts: 0, until: 0 }
    if (lockedFor(until, at) > 0) return
    const counted = [...recent.filter((time) => time > at - 1000 * STRIKE_SECONDS && time <= at), at]
    const before = until > at - 1000 * MEMORY_SECONDS && until <= at ? lockouts : 0
    const seconds = Math.min(MAX_LOCK_SECONDS, STRIKE_SECONDS * 2 ** before)
    const next =
      counted.length >= limit
        ? { recent: [], lockouts: before + 1, until: at + 1000 * seconds }
        : { recent: counted, lockouts: before, until }
    remember(strikes, name, next)
  }
}

/** One entry a second, so that a budget takes no more memory than its window has seconds. */
function note(held: Charged[], at: number): void {
  const second = Math.floor(at / 1000)
  const current = held.at(-1)
  if (current?.second === second) Object.assign(current, { count: current.count + 1, last: at })
  else held.push({ second, count: 1, last: at })
}

/**
 * Seconds until a lock-out is over, from instants in milliseconds; 0 when it is. One further ahead than the
 * longest began under a clock that has since been set back.
 */
export function lockedFor(until: number, at: number): number {
  const left = Math.ceil((until - at) / 1000)
  return left > 0 && left <= MAX_LOCK_SECONDS ? left : 0
}

/** Keeps the map bounded: the entry touched longest ago goes first. */
export function remember<T>(map: Map<string, T>, name: string, value: T): void {
  map.delete(name)
  map.set(name, value)
  if (map.size > MAX_NAMES) {
    const oldest = map.keys().next()
    if (!oldest.done) map.delete(oldest.value)
  }
}

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
