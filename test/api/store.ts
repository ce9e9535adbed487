import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import type { Panel } from '../support/panel.ts'

type Value = string | number | null | Uint8Array

/** Rows of a running panel's database, read beside it. */
export function rows<T = Record<string, unknown>>(panel: Panel, sql: string, ...values: Value[]): T[] {
  const db = new Database(join(panel.dataDir, 'panel.db'), { readonly: true })
  try {
    return db.query(sql).all(...values) as T[] // The caller names the columns that it selects.
  } finally {
    db.close()
  }
}

/** All rows of several tables, by one look. */
export function rowsOf(panel: Panel, tables: string[]): unknown[][] {
  const db = new Database(join(panel.dataDir, 'panel.db'), { readonly: true })
  try {
    return tables.map((table) => db.query(`select * from "${table}"`).all())
  } finally {
    db.close()
  }
}

/** The number that a query answers. */
export const count = (panel: Panel, sql: string, ...values: Value[]): number =>
  Number(Object.values(rows(panel, sql, ...values)[0] ?? {})[0])

/** Writes into the database beside the panel, as nothing but a test may. */
export function plant(panel: Panel, sql: string, ...values: Value[]): void {
  const db = new Database(join(panel.dataDir, 'panel.db'))
  try {
    db.run('PRAGMA busy_timeout = 5000')
    db.query(sql).run(...values)
  } finally {
    db.close()
  }
}

/** All text and bytes that the database holds, to look for what must not be there. */
export function everything(panel: Panel): string {
  const tables = rows<{ name: string }>(panel, "select name from sqlite_master where type = 'table'")
  return tables
    .map(({ name }) =>
      JSON.stringify(rows(panel, `select * from "${name}"`), (_, value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
      ),
    )
    .join('\n')
}
