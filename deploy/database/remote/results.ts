import type { ResultSet, Row } from '@libsql/client'

/**
 * The result with plain arrays for rows, which is all that drizzle reads of them, and binary cells as
 * Uint8Array: where there is no Buffer, as on a function host, drizzle would turn an ArrayBuffer into
 * text, and a hash would be lost.
 */
export function ownRows<R extends Pick<ResultSet, 'rows'>>(result: R): R {
  return { ...result, rows: result.rows.map(ownRow) }
}

function ownRow(row: Row): Row {
  const cells = Array.from(row, (cell) => (cell instanceof ArrayBuffer ? new Uint8Array(cell) : cell))
  return cells as unknown as Row // By index only; schema/columns.ts takes both binary forms.
}
