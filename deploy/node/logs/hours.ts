import { join } from 'node:path'
import type { HourCount } from '../../../lib/endpoint/ports/logs.ts'
import { readIfThere } from '../host/files.ts'
import { fileOf } from './names.ts'

/** What came in an hour, of whichever day. */
export type Count = { visits: number; bytes: number; errors: number }

const HOUR_MS = 3_600_000

/** Each line has the same length, so that one can be counted up in its place. */
const WIDTH = { visits: 12, bytes: 16, errors: 12 }

const pad = (value: number, width: number) => String(value).padStart(width, ' ')

/** A whole hour as it stands in the file of its day, which has a line for each. */
export const hourLine = (day: string, hour: number, { visits, bytes, errors }: Count): string =>
  `{"hora":"${day}T${String(hour).padStart(2, '0')}:00:00Z","visitas":${pad(visits, WIDTH.visits)},` +
  `"bytes":${pad(bytes, WIDTH.bytes)},"errores":${pad(errors, WIDTH.errors)}}\n`

export const HOUR_BYTES = hourLine('2026-01-01', 0, { visits: 0, bytes: 0, errors: 0 }).length
export const HOURS = 24

/** A day on which nothing has come yet. */
export const emptyDay = (day: string): string =>
  Array.from({ length: HOURS }, (_, hour) => hourLine(day, hour, { visits: 0, bytes: 0, errors: 0 })).join('')

/** What a line counts; nothing where it is damaged. */
export function countOf(line: string): Count {
  const [, visits, bytes, errors] =
    /"visitas": *(\d{1,12}),"bytes": *(\d{1,16}),"errores": *(\d{1,12})\}/.exec(line) ?? []
  return { visits: Number(visits ?? 0), bytes: Number(bytes ?? 0), errors: Number(errors ?? 0) }
}

export const sumOf = (one: Count, other: Count): Count => ({
  visits: one.visits + other.visits,
  bytes: one.bytes + other.bytes,
  errors: one.errors + other.errors,
})

/** An hour as one number, in whole hours since the epoch. */
export const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS)

export const dayAndHour = (hour: number): { day: string; hour: number } => ({
  day: new Date(hour * HOUR_MS).toISOString().slice(0, 10),
  hour: hour % HOURS,
})

const NONE: Count = { visits: 0, bytes: 0, errors: 0 }

/** The counts of the last hours up to one, the oldest first. */
export async function readHours(
  directory: string,
  { until, many }: { until: Date; many: number },
): Promise<HourCount[]> {
  const last = hourOf(until.getTime())
  const days = new Map<string, string[]>()
  const found: HourCount[] = []
  for (let at = last - many + 1; at <= last; at++) {
    const { day, hour } = dayAndHour(at)
    const lines =
      days.get(day) ?? ((await readIfThere(join(directory, fileOf('horas', day, 0).name))) ?? '').split('\n')
    days.set(day, lines)
    const line = lines[hour]
    found.push({ at: new Date(at * HOUR_MS), ...(line === undefined ? NONE : countOf(line)) })
  }
  return found
}
