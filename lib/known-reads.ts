import type { InStatement, ResultSet } from '@libsql/client'

/**
 * The answers of a write transaction's reads. The transaction is alone with the database, so only a
 * write of its own makes an answer stale: it drops what names its table.
 */
export class KnownReads {
  readonly #answers = new Map<string, { sql: string; answer: Promise<ResultSet> }>()

  get(statement: InStatement): Promise<ResultSet> | undefined {
    return this.#answers.get(keyOf(statement))?.answer
  }

  /** Keeps the answer of a read; of a write that returns rows, only that it was made. */
  keep(statement: InStatement, answer: Promise<ResultSet>): Promise<ResultSet> {
    if (isRead(statement)) {
      answer.catch(() => {})
      this.#answers.set(keyOf(statement), { sql: textOf(statement), answer })
    } else this.forget(statement)
    return answer
  }

  /** Drops what a write makes stale. A deletion may reach other tables by cascade: it drops everything. */
  forget(write: InStatement): void {
    const table = /^\s*(?:insert into|update) "(\w+)"/i.exec(textOf(write))?.[1]
    if (table === undefined) {
      this.#answers.clear()
      return
    }
    for (const [key, { sql }] of this.#answers) if (sql.includes(table)) this.#answers.delete(key)
  }
}

/** Whether a statement only reads. */
export const isRead = (statement: InStatement) => /^\s*(?:select|with)\b/i.test(textOf(statement))

/** Whether a statement writes and answers no rows. */
export const isPlainWrite = (statement: InStatement) => {
  const sql = textOf(statement)
  return /^\s*(?:insert|update|delete)\b/i.test(sql) && !/\breturning\b/i.test(sql)
}

const textOf = (statement: InStatement) => (typeof statement === 'string' ? statement : statement.sql)

function keyOf(statement: InStatement): string {
  if (typeof statement === 'string') return statement
  const args = Array.isArray(statement.args) ? statement.args : []
  return `${statement.sql}\0${args.map((arg) => `${typeof arg}:${arg}`).join('\0')}`
}
