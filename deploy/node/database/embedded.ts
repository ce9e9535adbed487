import type { InArgs, InStatement, InValue, ResultSet, Row, Transaction } from '@libsql/client'
import Driver from 'libsql'
import type { Renewable } from '../../../lib/database.ts'

type Connection = {
  path: string
  driver: Driver.Database
  statements: Map<string, Prepared>
  /** The disk failed it: what it keeps in memory may be older than what other connections have committed. */
  failed: boolean
}
type Prepared = { statement: Driver.Statement; reader: boolean; columns: string[] }

const CACHED_STATEMENTS = 500
const BUSY_TIMEOUT_MS = 5000
const BUSY_POLL_MS = 8
const ONE_ROW = / limit \?$/
/** A view of the disk that was opened so lately is not opened anew. */
const NEW_MS = 1000
const DISK_FAULT = /disk I\/O error|disk image is malformed|not a database|readonly database/

/**
 * A libSQL client on a local file: one writer and one reader connection, each with its prepared
 * statements kept. @libsql/client's own file client prepares every statement anew, which costs four
 * fifths of the panel's throughput; everything above this interface is the same for a remote server.
 */
export function embeddedClient(path: string): Renewable {
  const writer = open(path)
  const reader = open(path)
  let renewedAt = -NEW_MS
  const client = {
    closed: false,
    protocol: 'file',
    async execute(statement: InStatement) {
      const prepared = sqlOf(statement)
      return run(isWrite(reader, prepared.sql) ? writer : reader, prepared)
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
      for (const { driver, statements } of [reader, writer]) {
        statements.clear()
        driver.close()
      }
    },
  }
  // Everything drizzle and lib/database.ts call is above; `migrate` is not used.
  return client as unknown as Renewable
}

function open(path: string): Connection {
  return { path, driver: opened(path), statements: new Map(), failed: false }
}

function opened(path: string): Driver.Database {
  const driver = new Driver(path)
  // While it opens; the driver waits by stopping the whole process, so later nothing waits inside it.
  driver.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  driver.exec('PRAGMA journal_mode = WAL')
  driver.exec('PRAGMA synchronous = FULL')
  driver.exec('PRAGMA foreign_keys = ON')
  driver.exec('PRAGMA cache_size = -8000')
  driver.exec('PRAGMA busy_timeout = 0')
  return driver
}

/** Opens a connection anew that the disk has failed; the new one before the old one is closed, which so is not the last. */
function renew(connection: Connection): void {
  if (!connection.failed || connection.driver.inTransaction) return
  const driver = opened(connection.path)
  connection.statements.clear()
  connection.driver.close()
  connection.driver = driver
  connection.failed = false
}

/** Waits for another process's write lock without keeping this one from its reads. */
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
    run(writer, { sql: 'BEGIN IMMEDIATE', args: [] })
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
    return resultSet([], [], info.changes, BigInt(info.lastInsertRowid))
  }
  // A look-up of one row has a call of its own in the driver, at half the cost.
  const rows = ONE_ROW.test(sql) && args.at(-1) === 1 ? oneRow(statement, args) : statement.all(args)
  // Raw rows are arrays, which is all that drizzle's mapping reads of libSQL's Row.
  return resultSet(columns, rows as unknown as Row[], 0, undefined)
}

function oneRow(statement: Driver.Statement, args: InValue[]): unknown[] {
  const row = statement.get(args)
  return row === undefined ? [] : [row]
}

function resultSet(
  columns: string[],
  rows: Row[],
  rowsAffected: number,
  lastInsertRowid: bigint | undefined,
) {
  return { columns, columnTypes: [], rows, rowsAffected, lastInsertRowid, toJSON: () => ({ columns, rows }) }
}

function prepare(connection: Connection, sql: string): Prepared {
  const known = connection.statements.get(sql)
  if (known) return known
  const statement = connection.driver.prepare(sql)
  const reader = statement.reader
  if (reader) statement.raw(true)
  const prepared = { statement, reader, columns: reader ? statement.columns().map((c) => c.name) : [] }
  if (connection.statements.size >= CACHED_STATEMENTS) connection.statements.clear()
  connection.statements.set(sql, prepared)
  return prepared
}

function isWrite(connection: Connection, sql: string): boolean {
  return !prepare(connection, sql).reader || /\breturning\b/i.test(sql)
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
