/** How often a task runs, in the words that people choose from; times are of their own zone. */
export type Timing =
  | { every: 'minutes'; minutes: number }
  | { every: 'hour'; minute: number }
  | { every: 'day'; hour: number; minute: number }
  | { every: 'week'; weekday: number; hour: number; minute: number }

const DAY = 24 * 60
const WEEK = 7 * DAY
const within = (value: number, size: number) => ((value % size) + size) % size

/** The pattern (UTC) of a timing in a zone that is so many minutes ahead of UTC. */
export function patternOf(timing: Timing, offset: number): string {
  if (timing.every === 'minutes') return `*/${timing.minutes} * * * *`
  if (timing.every === 'hour') return `${within(timing.minute - offset, 60)} * * * *`
  const days = timing.every === 'week' ? timing.weekday * DAY : 0
  const at = within(days + timing.hour * 60 + timing.minute - offset, WEEK)
  const weekday = timing.every === 'week' ? Math.floor(at / DAY) : '*'
  return `${at % 60} ${Math.floor((at % DAY) / 60)} * * ${weekday}`
}

/** The timing that a pattern (UTC) is; null for one that is none of those. */
export function timingOf(pattern: string, offset: number): Timing | null {
  const often = /^(?:\*|\d+-59)\/(\d+) \* \* \* \*$/.exec(pattern)
  if (often) return { every: 'minutes', minutes: Number(often[1]) }
  const hourly = /^(\d+) \* \* \* \*$/.exec(pattern)
  if (hourly) return { every: 'hour', minute: within(Number(hourly[1]) + offset, 60) }
  const [, minute, hour, weekday] = /^(\d+) (\d+) \* \* ([0-7*])$/.exec(pattern) ?? []
  if (minute === undefined || hour === undefined || weekday === undefined) return null
  const days = weekday === '*' ? 0 : (Number(weekday) % 7) * DAY
  const at = within(days + Number(hour) * 60 + Number(minute) + offset, WEEK)
  const time = { hour: Math.floor((at % DAY) / 60), minute: at % 60 }
  return weekday === '*'
    ? { every: 'day', ...time }
    : { every: 'week', weekday: Math.floor(at / DAY), ...time }
}

/** Minutes that a zone is ahead of UTC at a moment. */
export function offsetOf(timeZone: string | undefined, at: Date): number {
  const parts = new Intl.DateTimeFormat('en', {
    ...(timeZone ? { timeZone } : {}),
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
  }).formatToParts(at)
  const of = (wanted: string) => Number(parts.find(({ type }) => type === wanted)?.value ?? 0)
  const there = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'))
  return Math.round((there - Math.floor(at.getTime() / 60_000) * 60_000) / 60_000)
}

/** How far the zone is ahead in the other half of the year; the same where clocks are not changed. */
export function otherOffset(timeZone: string | undefined, at: Date): number {
  const year = at.getUTCFullYear()
  const [winter, summer] = [0, 6].map((month) => offsetOf(timeZone, new Date(Date.UTC(year, month, 1))))
  const now = offsetOf(timeZone, at)
  return [winter, summer].find((one) => one !== undefined && one !== now) ?? now
}

export const clock = ({ hour, minute }: { hour: number; minute: number }): string =>
  `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
