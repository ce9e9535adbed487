import type { KeptSnapshot } from '../endpoint/ports/backups.ts'
import { waitsUntil } from '../work/clock.ts'

export type CopyToKeep = { id: string; startedAt: Date; complete: boolean; whole: boolean }

const DAY_MS = 86_400_000
/** How many days, weeks and months have their latest complete copy kept. */
const KEPT = { days: 7, weeks: 4, months: 6 } as const
/** What was copied before it was replaced, and copies that are incomplete, are kept for so many days. */
const OTHERS_DAYS = 7
/** So many of them at the most: a customer can have one made after another, each with new bytes. */
const OTHERS_MOST = 20
/** Of complete ones of the last days, so many beside the first and the last of each day. */
const RECENT_MOST = 20

/**
 * The copies that are still kept. Only complete ones of everything count for a day, a week or a month; the latest of
 * them stays however old it is. Within a week a copy that is made after a loss must not take the place of the one before
 * it: however many are made on a day, its first one stays, and so do the latest of all days.
 */
export function decideRetention(copies: CopyToKeep[], now: Date): Set<string> {
  const latestFirst = copies.toSorted((a, b) => b.startedAt.getTime() - a.startedAt.getTime())
  const good = latestFirst.filter(({ complete, whole }) => complete && whole)
  const kept = new Set<string>()
  for (const [most, period] of [
    [KEPT.days, dayOf],
    [KEPT.weeks, weekOf],
    [KEPT.months, monthOf],
  ] as const) {
    const seen = new Set<number | string>()
    for (const { id, startedAt } of good) {
      if (seen.size >= most) break
      if (!seen.has(period(startedAt))) kept.add(id)
      seen.add(period(startedAt))
    }
  }
  const since = now.getTime() - OTHERS_DAYS * DAY_MS
  const recent = good.filter(({ startedAt }) => startedAt.getTime() > since)
  const isFirst = ({ startedAt }: CopyToKeep, at: number) =>
    recent.findLastIndex((one) => dayOf(one.startedAt) === dayOf(startedAt)) === at
  for (const [at, one] of recent.entries()) if (at < RECENT_MOST || isFirst(one, at)) kept.add(one.id)
  const others = latestFirst.filter(({ complete, whole }) => !(complete && whole))
  for (const { id, startedAt } of others.slice(0, OTHERS_MOST)) {
    if (startedAt.getTime() > since) kept.add(id)
  }
  return kept
}

/** A copy of a client as its row tells of it; `here` where the row is of the present destination. */
export type KnownCopy = CopyToKeep & { here: boolean; running: boolean; snapshots: string[] }

/** What no row names is kept for so long: the rows may be older than the repository. */
const UNNAMED_MS = 183 * DAY_MS

/**
 * The copies to forget of a client, and the snapshots to remove from its repository. A destination can be changed, moved
 * or put back, and a database as well, so rows and repository need not be of one time: only a copy that is really there
 * takes the place of another one, no snapshot is removed that a row goes on naming, and one that none names goes only
 * where its copy ended without it, or when it is old.
 */
export function decideClearing(
  rows: KnownCopy[],
  there: KeptSnapshot[],
  now: Date,
): { copies: string[]; snapshots: string[] } {
  const isThere = beginning(there.map(({ id }) => id))
  const own = rows.filter(({ here }) => here)
  const isPresent = ({ snapshots }: KnownCopy) => snapshots.every(isThere)
  const [ofPresent, ofAll] = [own.filter(isPresent), own].map((some) => decideRetention(some, now))
  const isDue = (row: KnownCopy) => !(isPresent(row) ? ofPresent : ofAll)?.has(row.id)
  const dropped = own.filter((row) => isDue(row) && !row.running)
  const isDropped = named(dropped.flatMap(({ snapshots }) => snapshots))
  const isKept = named(rows.filter((row) => !dropped.includes(row)).flatMap(({ snapshots }) => snapshots))
  const ended = new Set(rows.filter(({ running }) => !running).map(({ id }) => id))
  const isOver = ({ id, copy, at }: KeptSnapshot) =>
    isDropped(id) || (copy !== null && ended.has(copy)) || at.getTime() < now.getTime() - UNNAMED_MS
  return {
    copies: dropped.map(({ id }) => id),
    snapshots: there.filter((one) => !isKept(one.id) && isOver(one)).map(({ id }) => id),
  }
}

/** Whether a name is the beginning of one of these ids: restic tells what it has kept by its first characters. */
function beginning(ids: string[]): (name: string) => boolean {
  const cut = new Map<number, Set<string>>()
  return (name) => {
    const known = cut.get(name.length) ?? new Set(ids.map((id) => id.slice(0, name.length)))
    cut.set(name.length, known)
    return known.has(name)
  }
}

/** Whether an id begins with one of these names. */
function named(names: string[]): (id: string) => boolean {
  const known = new Set(names)
  const lengths = [...new Set(names.map(({ length }) => length))]
  return (id) => lengths.some((length) => known.has(id.slice(0, length)))
}

const dayOf = (at: Date) => Math.floor(at.getTime() / DAY_MS)
/** 1 January 1970 was a Thursday. */
const weekOf = (at: Date) => Math.floor((dayOf(at) + 3) / 7)
const monthOf = (at: Date) => at.toISOString().slice(0, 7)

/** Two nights and what a night may take. */
const LATE_MS = 56 * 3_600_000

/** Whether the last good copy, or where there is none, the moment since when there could be one, is too long ago. */
export const isLate = (since: Date, now: Date): boolean =>
  waitsUntil(new Date(since.getTime() + LATE_MS), now, LATE_MS) === null
