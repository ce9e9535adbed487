import type { InStatement, InValue } from '@libsql/client'
import type { BatchItem } from 'drizzle-orm/batch'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'

/** Typed access to tables; the same inside and outside a transaction. */
export type Db = LibSQLDatabase

/** A query of drizzle's builders that has not run. */
export type Query = BatchItem<'sqlite'> & { toSQL(): { sql: string; params: unknown[] } }

/**
 * Queries that do not depend on each other's results, and a function that makes a view of their rows. They are not
 * run yet, so that the last read of an answer can share the commit's round trip, and two views one batch.
 */
export class Reading<T> {
  readonly queries: Query[]
  readonly view: (results: unknown[]) => T

  constructor(queries: Query[], view: (results: unknown[]) => T) {
    this.queries = queries
    this.view = view
  }
}

/** A value that is available once the transaction has committed. */
export type Late<T> = { take(): T }

type Rows<Q extends Query> = Q['_']['result']

/** A reading of one query. */
export function reading<Q extends Query, T>(query: Q, view: (rows: Rows<Q>) => T): Reading<T> {
  // `view` is only ever given the mapped result of this very query.
  return new Reading([query], ([rows]) => view(rows as Rows<Q>))
}

/** Combines two readings into one. */
export function both<A, B>(a: Reading<A>, b: Reading<B>): Reading<[A, B]> {
  const middle = a.queries.length
  return new Reading([...a.queries, ...b.queries], (results) => [
    a.view(results.slice(0, middle)),
    b.view(results.slice(middle)),
  ])
}

/** The same reading, with its result mapped. */
export function mapped<A, B>(from: Reading<A>, view: (value: A) => B): Reading<B> {
  return new Reading(from.queries, (results) => view(from.view(results)))
}

/** Runs a reading now, in one round trip. */
export async function readNow<T>(db: Db, { queries, view }: Reading<T>): Promise<T> {
  const [first, ...rest] = queries
  return view(first ? await db.batch([first, ...rest]) : [])
}

/** A query in the form that the libSQL client takes. */
export function statementOf(query: Query): InStatement {
  const { sql, params } = query.toSQL()
  return { sql, args: params as InValue[] } // drizzle has encoded them for the driver.
}
