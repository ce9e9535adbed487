import { UsageError } from '../../commands/output.ts'

const DAY = /^\d{4}-\d\d-\d\d$/
/** RFC 3339, with a blank or without seconds and zone as people type it. */
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const SECOND_MS = 1_000

/** Copies between two moments, both included; of those at or before a moment, the last alone. */
export type AskedTime = { from: number; to: number; lastAlone: boolean }

/** What copies a day (UTC) or a moment asks for; a moment lasts as long as its smallest part. */
export function askedTime(said: string): AskedTime {
  const found = DAY.test(said) ? day(said) : moment(said)
  if (found !== null) return found
  throw new UsageError(
    `--copia ${said} is no day and no moment: write a day as 2026-11-25 (UTC), or a moment as 2026-11-25T03:00 (UTC, or with its zone: 2026-11-25T03:00+01:00)`,
  )
}

function day(said: string): AskedTime | null {
  const from = startOf(said)
  return from === null ? null : { from, to: from + DAY_MS - 1, lastAlone: false }
}

function moment(said: string): AskedTime | null {
  const [, date = '', time = '', seconds, zone] = MOMENT.exec(said) ?? []
  const at = Date.parse(`${date}T${time}${seconds ?? ''}${zone ?? 'Z'}`)
  if (startOf(date) === null || Number.isNaN(at)) return null
  const lasts = seconds === undefined ? MINUTE_MS : seconds.includes('.') ? 1 : SECOND_MS
  return { from: Number.NEGATIVE_INFINITY, to: at + lasts - 1, lastAlone: true }
}

/** Of a day that the calendar has: `Date` takes the 30th of February for a day in March. */
function startOf(date: string): number | null {
  const at = Date.parse(date)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date) ? at : null
}
