import { AppError } from './errors.ts'

/** The number that a cursor is in a listing by the numbers of its rows; undefined where the listing begins. */
export function placeAt(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined
  if (!/^[0-9]{1,15}$/.test(cursor)) throw new AppError('cursor_invalido')
  return Number(cursor)
}

/** Makes one page of rows fetched with `limite + 1`: the extra row only shows that there are more. */
export function pageOf<R, T>(rows: R[], limite: number, key: (row: R) => string, view: (row: R) => T) {
  const shown = rows.slice(0, limite)
  const last = shown.at(-1)
  return { datos: shown.map(view), siguiente: rows.length > limite && last ? key(last) : null }
}

/** The upper end of an index range for a prefix: no key with that prefix is above it. */
export function prefixEnd(prefix: string): string {
  return `${prefix}\u{10ffff}`
}

/** RFC 3339 in UTC, without fractions of a second, which are not stored. */
export function wireTime(date: Date): string
export function wireTime(date: Date | null): string | null
export function wireTime(date: Date | null): string | null {
  return date === null ? null : date.toISOString()
}
