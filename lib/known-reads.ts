import type { InStatement, InValue, ResultSet } from '@libsql/client'
import { getTableName, is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as tables from '../schema/tables.ts'
import { argsOf, Foreseen } from './foreseen.ts'

type Known = { statement: InStatement; tables: string[]; answer: Promise<ResultSet> }

/**
 * The answers of a write transaction's reads. The transaction is alone with the database, so only a
 * write of its own makes an answer stale: it drops what names its table.
 */
export class KnownReads {
  readonly #answers = new Map<string, Known>()

  get(statement: InStatement): Promise<ResultSet> | undefined {
    return this.#answers.get(keyOf(statement))?.answer
  }

  /** Keeps the answer of a read; of a write that returns rows, only that it was made. */
  keep(statement: InStatement, answer: Promise<ResultSet>): Promise<ResultSet> {
    if (isRead(statement)) {
      answer.catch(() => {})
      this.#answers.set(keyOf(statement), { statement, tables: tablesOf(textOf(statement)), answer })
    } else this.forget(statement)
    return answer
  }

  /** To be called when a foreseen value is known: what was read with it was read with the value. */
  settle(): void {
    for (const [key, known] of [...this.#answers]) {
      this.#answers.delete(key)
      this.#answers.set(keyOf(known.statement), known)
    }
  }

  /** Drops what a write makes stale; a deletion that may reach other tables by cascade drops everything. */
  forget(write: InStatement): void {
    const [, verb, table] = /^\s*(insert into|update|delete from) "(\w+)"/i.exec(textOf(write)) ?? []
    const cascades = table !== undefined && /^delete/i.test(verb ?? '') && REFERRED_TO.has(table)
    if (table === undefined || cascades) this.#answers.clear()
    else for (const [key, { tables }] of this.#answers) if (tables.includes(table)) this.#answers.delete(key)
  }
}

/** Tables that rows of others belong to. */
const REFERRED_TO = new Set(
  Object.values(tables)
    .filter((table) => is(table, SQLiteTable))
    .flatMap((table) => getTableConfig(table).foreignKeys)
    .map((key) => getTableName(key.reference().foreignTable)),
)

/** Whether a statement only reads; `with` may begin a write. */
export const isRead = (statement: InStatement) => /^\s*select\b/i.test(textOf(statement))

/** Whether a statement writes and answers no rows. */
export const isPlainWrite = (statement: InStatement) => {
  const sql = textOf(statement)
  return /^\s*(?:insert|update|delete)\b/i.test(sql) && !/\breturning\b/i.test(sql)
}

/** Quoted by drizzle, bare in fragments of our own. */
const tablesOf = (sql: string) =>
  [...sql.matchAll(/\b(?:from|join)\s+"?(\w+)/gi)].map(([, table = '']) => table)

const textOf = (statement: InStatement) => (typeof statement === 'string' ? statement : statement.sql)

function keyOf(statement: InStatement): string {
  // With its length before it, no value can pass for two.
  const parts = argsOf(statement).map((arg) => {
    const [kind, text] = partOf(arg)
    return `${kind}:${text.length}:${text}`
  })
  return [textOf(statement), ...parts].join('\0')
}

function partOf(arg: InValue | Foreseen): [kind: string, text: string] {
  if (!(arg instanceof Foreseen)) return [typeof arg, `${arg}`]
  return arg.value === undefined ? ['query', keyOf(arg.query)] : partOf(arg.value)
}
