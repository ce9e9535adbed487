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

const dayOf = (at: Date) => Math.floor(at.getTime() / DAY_MS)
/** 1 January 1970 was a Thursday. */
const weekOf = (at: Date) => Math.floor((dayOf(at) + 3) / 7)
const monthOf = (at: Date) => at.toISOString().slice(0, 7)

/** Two nights and what a night may take. */
const LATE_MS = 56 * 3_600_000

/** Whether the last good copy, or where there is none, the moment since when there could be one, is too long ago. */
export const isLate = (since: Date, now: Date): boolean =>
  waitsUntil(new Date(since.getTime() + LATE_MS), now, LATE_MS) === null
