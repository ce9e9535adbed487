import { type Column, type SQL, sql } from 'drizzle-orm'

/**
 * Whether the moment in a column has come. One further ahead than `longestMs`, the longest that anybody would
 * have set, was set under a clock that has since been set back: waiting for it could take years.
 */
export function hasCome(column: Column, now: Date, longestMs: number): SQL {
  const at = now.getTime()
  return sql`(${column} <= ${at} or ${column} > ${at + longestMs})`
}
