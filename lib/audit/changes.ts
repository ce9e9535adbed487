/** One field of a resource before and after a change; null for both where it is only told that it changed. */
export type Change = { field: string; before: unknown; after: unknown }

/** Longest value that is told whole, in characters of JSON; of a longer list only what differs is told. */
const LONGEST = 500
/** A change of more fields, such as all settings at once, tells this many. */
const MOST = 50
/** The values of a row, in characters of JSON: rows are kept for good. Of further fields only the change is told. */
const LONGEST_ROW = 2_000
/** By its name it might be a secret: never told, whoever asks for it. */
const SECRET = /contrasena|secret|token|credencial|password|totp|codigo_|llave|clave|enlace|reto/i

/**
 * What a change makes of the fields that it names. `before` and `after` are in the wire's form, and only what `after`
 * has is compared. A field that has parts is set as a whole: a part that `after` lacks is taken away. `hidden`: fields of which only the change itself is told.
 */
export function changesOf(before: object, after: object, hidden: string[] = []): Change[] {
  let left = LONGEST_ROW
  return compared('', before, after)
    .filter(({ field }) => !SECRET.test(field))
    .slice(0, MOST)
    .map(({ field, before, after }) => {
      const untold = { field, before: null, after: null }
      if (hidden.includes(field.split('.')[0] ?? '')) return untold
      const change = { field, ...told(before, after) }
      left -= JSON.stringify(change).length
      return left < 0 ? untold : change
    })
}

function compared(place: string, before: object, after: object): Change[] {
  const gone = place === '' ? [] : Object.keys(before).filter((name) => !Object.hasOwn(after, name))
  const wanted = [...Object.entries(after), ...gone.map((name) => [name, null] as const)]
  return wanted.flatMap(([name, value]) => {
    if (value === undefined) return []
    const field = place === '' ? name : `${place}.${name}`
    const old = Object.hasOwn(before, name)
      ? (Object.entries(before).find(([key]) => key === name)?.[1] ?? null)
      : null
    if (isPlain(value) && isPlain(old)) return compared(field, old, value)
    const like = likened(old, value)
    return JSON.stringify(like) === JSON.stringify(value) ? [] : [{ field, before: like, after: value }]
  })
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The items of an old list with those fields alone that the items of the new one have, in their order. */
function likened(old: unknown, value: unknown): unknown {
  if (!Array.isArray(old) || !Array.isArray(value)) return old
  const like = value.find(isPlain) ?? {}
  return old.map((item) =>
    isPlain(item) && value.length > 0
      ? Object.fromEntries(Object.keys(like).map((name) => [name, item[name] ?? null]))
      : item,
  )
}

function told(before: unknown, after: unknown): Pick<Change, 'before' | 'after'> {
  if (fits(before) && fits(after)) return { before, after }
  if (Array.isArray(before) && Array.isArray(after)) {
    const gone = without(before, after)
    const added = without(after, before)
    return { before: cut(gone), after: cut(added) }
  }
  return { before: cut(before), after: cut(after) }
}

/** The details of a row, each long one as the beginning of its text where together they are too long for a row. */
export function shortDetail(detail: Record<string, unknown>): Record<string, unknown> {
  if (JSON.stringify(detail).length <= LONGEST_ROW) return detail
  return Object.fromEntries(Object.entries(detail).map(([name, value]) => [name, cut(value)]))
}

const fits = (value: unknown): boolean => JSON.stringify(value).length <= LONGEST

function without(list: unknown[], others: unknown[]): unknown[] {
  const known = new Set(others.map((item) => JSON.stringify(item)))
  return list.filter((item) => !known.has(JSON.stringify(item)))
}

/** A long value as the beginning of its text. */
const cut = (value: unknown): unknown =>
  fits(value) ? value : `${(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, LONGEST)}…`
