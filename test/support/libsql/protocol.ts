import type { InValue } from '@libsql/client'

/** Hrana 2 and 3 over HTTP in JSON, as far as `@libsql/client/web` speaks it (libsql HRANA_3_SPEC.md). */
export type Value =
  | { type: 'null' }
  | { type: 'integer'; value: string }
  | { type: 'float'; value: number }
  | { type: 'text'; value: string }
  | { type: 'blob'; base64: string }

export type Stmt = {
  sql?: string | null
  sql_id?: number | null
  args?: Value[]
  named_args?: { name: string; value: Value }[]
  want_rows?: boolean
}

export type Condition =
  | { type: 'ok' | 'error'; step: number }
  | { type: 'not'; cond: Condition }
  | { type: 'and' | 'or'; conds: Condition[] }
  | { type: 'is_autocommit' }

export type StreamRequest =
  | { type: 'close' | 'get_autocommit' }
  | { type: 'execute'; stmt: Stmt }
  | { type: 'batch'; batch: { steps: { condition?: Condition | null; stmt: Stmt }[] } }
  | { type: 'sequence' | 'describe'; sql?: string | null; sql_id?: number | null }
  | { type: 'store_sql'; sql_id: number; sql: string }
  | { type: 'close_sql'; sql_id: number }

export type Pipeline = { baton?: string | null; requests: StreamRequest[] }

export type StmtResult = {
  cols: { name: string | null; decltype: string | null }[]
  rows: Value[][]
  affected_row_count: number
  last_insert_rowid: string | null
}

export type HranaError = { message: string; code: string }

/** A value as the driver binds it: an integer stays one, a float is a REAL as on the real server. */
export function toDriver(value: Value): InValue {
  switch (value.type) {
    case 'null':
      return null
    case 'integer':
      return BigInt(value.value)
    case 'blob':
      return Uint8Array.from(Buffer.from(value.base64, 'base64'))
    default:
      return value.value
  }
}

/** A value as the driver reads it with safe integers, so that bigint is INTEGER and number is REAL. */
export function fromDriver(value: unknown): Value {
  if (value === null || value === undefined) return { type: 'null' }
  if (typeof value === 'bigint') return { type: 'integer', value: String(value) }
  if (typeof value === 'number') return { type: 'float', value }
  if (typeof value === 'string') return { type: 'text', value }
  if (value instanceof Uint8Array)
    return { type: 'blob', base64: Buffer.from(value).toString('base64').replace(/=+$/, '') }
  throw new Error(`no wire form for ${typeof value}`)
}
