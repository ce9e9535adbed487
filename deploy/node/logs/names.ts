import { readdirSync } from 'node:fs'
import type { LogKind } from '../../../lib/endpoint/ports/logs.ts'
import { hasCode } from '../host/files.ts'

/** A file of a site's log: those of a day in the order of their parts, each written to its end before the next. */
export type LogFile = { name: string; day: string; part: number }

/** What a site's directory holds: its logs, and counts by hour. */
export type FileKind = LogKind | 'horas'

const NAME = /^([a-z]+)-(\d{4}-\d\d-\d\d)(?:_([1-9]\d{0,5}))?\.log$/

export function fileOf(kind: FileKind, day: string, part: number): LogFile {
  return { name: `${kind}-${day}${part === 0 ? '' : `_${part}`}.log`, day, part }
}

/** The files of one kind, the oldest first; none where there is no such directory. */
export function filesOf(directory: string, kind: FileKind): LogFile[] {
  return namesIn(directory)
    .flatMap((name) => {
      const [, of, day, part] = NAME.exec(name) ?? []
      return of === kind && day !== undefined ? { name, day, part: Number(part ?? 0) } : []
    })
    .sort(inOrder)
}

export const inOrder = (a: Pick<LogFile, 'day' | 'part'>, b: Pick<LogFile, 'day' | 'part'>): number =>
  a.day === b.day ? a.part - b.part : a.day < b.day ? -1 : 1

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

/** Where in a log something stands: a file by day and part, and a byte of it. */
export type Place = { day: string; part: number; offset: number }

export const placeText = ({ day, part, offset }: Place): string =>
  `${day.replaceAll('-', '')}.${part}.${offset}`

/** Null for what is no place. */
export function placeOf(text: string): Place | null {
  const [, year, month, date, part, offset] = /^(\d{4})(\d\d)(\d\d)\.(\d{1,6})\.(\d{1,15})$/.exec(text) ?? []
  return year === undefined
    ? null
    : { day: `${year}-${month}-${date}`, part: Number(part), offset: Number(offset) }
}
