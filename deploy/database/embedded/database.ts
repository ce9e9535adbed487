import type { InArgs, InStatement, InValue, ResultSet, Row, Transaction } from '@libsql/client'
import Driver from 'libsql'
import type { Renewable } from '../../../lib/store/database.ts'
import { PageCache } from './page-cache.ts'

type Connection = {
  path: string
  cache: PageCache
  driver: Driver.Database
  statements: Map<string, Prepared>
  /**
   * Whether a read or write failed at the disk: this connection's cache may then be older than what others have
   * committed.
   */
  failed: boolean
}
type Prepared = { statement: Driver.Statement; reader: boolean; writes: boolean; columns: string[] }

const CACHED_STATEMENTS = 500
const BUSY_TIMEOUT_MS = 5000
const BUSY_POLL_MS = 8
const ONE_ROW = / limit \?$/
/** A failed connection is reopened at most once a second. */
const NEW_MS = 1000
const DISK_FAULT = /disk I\/O error|disk image is malformed|not a database|readonly database/

/**
 * A libSQL client on a local file: one writer and one reader connection, each with its prepared
 * statements kept. @libsql/client's own file client prepares every statement anew, which costs four
 * fifths of the panel's throughput; everything above this interface is the same for a remote server.
 */
export function embeddedClient(path: string): Renewable {
  const cache = new PageCache(path)
  const writer = open(path, cache)
  const reader = open(path, cache)
  let renewedAt = -NEW_MS
  const client = {
    closed: false,
    protocol: 'file',
    async execute(statement: InStatement) {
      const prepared = sqlOf(statement)
      return run(prepare(reader, prepared.sql).writes ? checked(writer) : reader, prepared)
    },
    async batch(statements: InStatement[]) {
      return statements.map((statement) => run(reader, sqlOf(statement)))
    },
    async transaction(): Promise<Transaction> {
      return begin(writer)
    },
    async executeMultiple(sql: string) {
      writer.driver.exec(sql)
    },
    async sync() {
      return undefined
    },
    reconnect() {},
    renew() {
      if (performance.now() - renewedAt < NEW_MS) return false
      reader.failed = true
      renew(reader)
      renewedAt = performance.now()
      return true
    },
    close() {
      client.closed = true
      try {
        renew(checked(writer))
      } catch {
        // Closing the last connection copies and removes the journal. If the disk is gone, that is left to the next
        // start.
        return
      }
      for (const { driver, statements } of [reader, writer]) {
        statements.clear()
        driver.close()
      }
      cache.close()
    },
  }
  // Everything drizzle and lib/store/database.ts call is above; `migrate` is not used.
  return client as Renewable
}

function open(path: string, cache: PageCache): Connection {
  return { path, cache, driver: opened(path, cache), statements: new Map(), failed: false }
}

function opened(path: string, cache: PageCache): Driver.Database {
  cache.forget()
  const driver = new Driver(path)
  // Only while it opens: the driver waits by stopping the whole process, so later no statement waits inside it.
  driver.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  driver.exec('PRAGMA journal_mode = WAL')
  driver.exec('PRAGMA synchronous = FULL')
  driver.exec('PRAGMA foreign_keys = ON')
  driver.exec('PRAGMA cache_size = -8000')
  driver.exec('PRAGMA busy_timeout = 0')
  return driver
}

/**
 * At some commits SQLite copies the journal into the database and does not report that the disk refused it. The next
 * time it would believe those pages written (see `PageCache`) and restart the journal, which is the only copy.
 */
function checked(writer: Connection): Connection {
  if (writer.cache.hasLost()) writer.failed = true
  return writer
}

/** Reopens a failed connection. The new one opens first: closing the last one would remove the journal. */
function renew(connection: Connection): void {
  if (!connection.failed || connection.driver.inTransaction) return
  const driver = opened(connection.path, connection.cache)
  connection.statements.clear()
  connection.driver.close()
  connection.driver = driver
  connection.failed = false
}

/** Waits for another process's write lock while this process goes on reading. */
async function begin(writer: Connection): Promise<Transaction> {
  const deadline = performance.now() + BUSY_TIMEOUT_MS
  while (!tryBegin(writer, performance.now() < deadline)) {
    await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * BUSY_POLL_MS))
  }
  const end = (sql: string) => {
    if (writer.driver.inTransaction) run(writer, { sql, args: [] })
  }
  return {
    execute: async (statement: InStatement) => run(writer, sqlOf(statement)),
    batch: async (statements: InStatement[]) => statements.map((statement) => run(writer, sqlOf(statement))),
    executeMultiple: async (sql: string) => void writer.driver.exec(sql),
    commit: async () => end('COMMIT'),
    rollback: async () => end('ROLLBACK'),
    close: () => end('ROLLBACK'),
    get closed() {
      return !writer.driver.inTransaction
    },
  } as Transaction // `execute(sql, args)` with two arguments is never called by drizzle.
}

/** False when another process is writing and there is time left to `wait` for it. */
function tryBegin(writer: Connection, wait: boolean): boolean {
  try {
    run(checked(writer), { sql: 'BEGIN IMMEDIATE', args: [] })
    return true
  } catch (error) {
    if (wait && error instanceof Error && /database is locked|SQLITE_BUSY/.test(error.message)) return false
    throw error
  }
}

function run(connection: Connection, statement: { sql: string; args: InValue[] }): ResultSet {
  renew(connection)
  try {
    return step(connection, statement)
  } catch (error) {
    if (error instanceof Error && DISK_FAULT.test(error.message)) connection.failed = true
    throw error
  }
}

function step(connection: Connection, { sql, args }: { sql: string; args: InValue[] }): ResultSet {
  const { statement, reader, columns } = prepare(connection, sql)
  if (!reader) {
    const info = statement.run(args)
    return resultSet({ rowsAffected: info.changes, lastInsertRowid: BigInt(info.lastInsertRowid) })
  }
  // A look-up of one row has a call of its own in the driver, at half the cost.
  const rows = ONE_ROW.test(sql) && args.at(-1) === 1 ? oneRow(statement, args) : statement.all(args)
  // Raw rows are arrays, which is all that drizzle's mapping reads of libSQL's Row.
  return resultSet({ columns, rows: rows as Row[] })
}

function oneRow(statement: Driver.Statement, args: InValue[]): unknown[] {
  const row = statement.get(args)
  return row === undefined ? [] : [row]
}

function resultSet(found: Partial<ResultSet>): ResultSet {
  const { columns = [], rows = [], rowsAffected = 0, lastInsertRowid } = found
  return { columns, columnTypes: [], rows, rowsAffected, lastInsertRowid, toJSON: () => ({ columns, rows }) }
}

function prepare(connection: Connection, sql: string): Prepared {
  const known = connection.statements.get(sql)
  if (known) return known
  const statement = connection.driver.prepare(sql)
  const reader = statement.reader
  if (reader) statement.raw(true)
  const writes = !reader || /\breturning\b/i.test(sql)
  const columns = reader ? statement.columns().map(({ name }) => name) : []
  const prepared = { statement, reader, writes, columns }
  if (connection.statements.size >= CACHED_STATEMENTS) connection.statements.clear()
  connection.statements.set(sql, prepared)
  return prepared
}

function sqlOf(statement: InStatement): { sql: string; args: InValue[] } {
  if (typeof statement === 'string') return { sql: statement, args: [] }
  return { sql: statement.sql, args: positional(statement.args) }
}

function positional(args: InArgs | undefined): InValue[] {
  return (Array.isArray(args) ? args : []).map((value) =>
    value instanceof Date ? value.getTime() : typeof value === 'boolean' ? Number(value) : (value ?? null),
  )
}
