import type { Db } from './database.ts'

const known = new WeakMap<Db, Map<string, unknown>>()

/**
 * A prepared query of a long-lived database, built once per key, since building it costs more than running it. The
 * key must contain everything that changes the query's text; values are placeholders.
 */
export function prepared<T>(db: Db, key: string, make: () => T): T {
  const queries = known.get(db) ?? new Map<string, unknown>()
  known.set(db, queries)
  const found = queries.get(key) as T | undefined // Stored below, under the same key, by the same maker.
  if (found !== undefined) return found
  const made = make()
  queries.set(key, made)
  return made
}
