import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { AppError } from '../endpoint/errors.ts'

/** What a listing is ordered by, with its key for rows that are equal in that. */
export type Order = { by: SQLWrapper; key: SQLWrapper; downwards: boolean }

/** The last row of the page before. */
export type Place = { value: string | number; key: string }

/** The order that was asked for by the name of a column, with `-` before it for downwards; else that of the keys. */
export function orderOf<C extends string>(
  columns: Record<C, SQLWrapper>,
  key: SQLWrapper,
  asked: C | `-${C}` | undefined,
): Order {
  if (asked === undefined) return { by: key, key, downwards: false }
  const downwards = asked.startsWith('-')
  return { by: columns[(downwards ? asked.slice(1) : asked) as C], key, downwards }
}

/** Whether a row comes after a place in this order. */
export function after(
  { by, key, downwards }: Order,
  place: Record<keyof Place, SQLWrapper | string | number>,
) {
  const than = downwards ? sql`<` : sql`>`
  if (by === key) return sql`${key} ${than} ${place.key}`
  return sql`(${by}, ${key}) ${than} (${place.value}, ${place.key})`
}

/** For `orderBy`. */
export const ordered = ({ by, key, downwards }: Order): SQL[] =>
  (by === key ? [key] : [by, key]).map((one) => (downwards ? sql`${one} desc` : sql`${one} asc`))

/**
 * The cursor behind a row. In the order of the keys it is the key (docs/api.md, "Pages"), else it also holds the value,
 * so that the row may change or go away before the next page.
 */
export const cursorAt = ({ by, key }: Order, place: Place): string =>
  by === key ? place.key : base64url(JSON.stringify([place.value, place.key]))

/** The place that a cursor stands for; throws 400 `cursor_invalido` for one of another order. */
export function placeOf({ by, key }: Order, cursor: string): Place {
  if (by === key) return { value: cursor, key: cursor }
  const [value, last, ...more] = parsed(cursor)
  const fits = typeof value === 'string' || typeof value === 'number'
  if (!fits || typeof last !== 'string' || more.length > 0) throw new AppError('cursor_invalido')
  return { value, key: last }
}

function parsed(cursor: string): unknown[] {
  try {
    const bytes = Uint8Array.from(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')), (byte) =>
      byte.charCodeAt(0),
    )
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

const base64url = (text: string) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
