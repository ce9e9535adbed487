import Driver from 'libsql'
import type { Condition, HranaError, Stmt, StmtResult, StreamRequest } from './protocol.ts'
import { fromDriver, toDriver } from './protocol.ts'

/** How long a statement waits for another stream's write lock, as the real server does. */
const BUSY_MS = 5000
const CACHED_STATEMENTS = 200

type Prepared = { statement: Driver.Statement; reader: boolean; columns: StmtResult['cols'] }

/** One Hrana stream: a connection of its own, with the texts that its client has stored. */
export class Stream {
  readonly #driver: Driver.Database
  /** Aborted when the client has gone: nothing is begun for one that does not listen. */
  #client: AbortSignal | null = null
  readonly #texts = new Map<number, string>()
  readonly #statements = new Map<string, Prepared>()
  lastUsed = performance.now()
  closed = false
  /** Called while another stream holds the write lock, before each further try. */
  onBusy: () => void = () => {}

  constructor(path: string) {
    this.#driver = new Driver(path)
    // The driver is synchronous: waiting inside it would keep the holder of the lock from ever ending.
    this.#driver.exec('PRAGMA busy_timeout = 0')
    this.#driver.exec('PRAGMA journal_mode = WAL')
    this.#driver.exec('PRAGMA synchronous = FULL')
    this.#driver.exec('PRAGMA foreign_keys = ON')
  }

  get inTransaction(): boolean {
    return this.#driver.inTransaction
  }

  /** Makes a stream that ended ready for another client's. */
  recycle(): void {
    if (this.#driver.inTransaction) this.#driver.exec('ROLLBACK')
    this.#texts.clear()
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    // The driver lets go of a connection, and of its lock, only when its statements are collected.
    this.recycle()
    this.#statements.clear()
    this.#driver.close()
  }

  /** One request of a pipeline; throws what is answered as its error. */
  async answer(request: StreamRequest, client: AbortSignal): Promise<Record<string, unknown>> {
    this.#client = client
    switch (request.type) {
      case 'close':
        return { type: 'close' }
      case 'get_autocommit':
        return { type: 'get_autocommit', is_autocommit: !this.inTransaction }
      case 'store_sql':
        this.#texts.set(request.sql_id, request.sql)
        return { type: 'store_sql' }
      case 'close_sql':
        this.#texts.delete(request.sql_id)
        return { type: 'close_sql' }
      case 'execute':
        return { type: 'execute', result: await this.#execute(request.stmt) }
      case 'batch':
        return { type: 'batch', result: await this.#batch(request.batch.steps) }
      case 'sequence':
        await this.#patiently(() => this.#driver.exec(this.#textOf(request)))
        return { type: 'sequence' }
      case 'describe':
        return { type: 'describe', result: this.#describe(this.#textOf(request)) }
    }
  }

  async #batch(steps: { condition?: Condition | null; stmt: Stmt }[]) {
    const step_results: (StmtResult | null)[] = []
    const step_errors: (HranaError | null)[] = []
    for (const [i, { condition, stmt }] of steps.entries()) {
      step_results[i] = null
      step_errors[i] = null
      if (condition && !holds(condition, { results: step_results, errors: step_errors, stream: this }))
        continue
      try {
        step_results[i] = await this.#execute(stmt)
      } catch (error) {
        step_errors[i] = hranaError(error)
      }
    }
    return { step_results, step_errors }
  }

  async #execute(stmt: Stmt): Promise<StmtResult> {
    const { statement, reader, columns } = this.#prepare(this.#textOf(stmt))
    const named = stmt.named_args ?? []
    const args =
      named.length > 0
        ? Object.fromEntries(named.map(({ name, value }) => [name.replace(/^[:@$]/, ''), toDriver(value)]))
        : (stmt.args ?? []).map(toDriver)
    return this.#patiently(() => {
      if (reader) {
        const rows = (statement.all(args) as unknown[][]).map((row) => row.map(fromDriver))
        const wanted = stmt.want_rows === false ? [] : rows
        return { cols: columns, rows: wanted, affected_row_count: 0, last_insert_rowid: null }
      }
      const { changes, lastInsertRowid } = statement.run(args)
      return { cols: [], rows: [], affected_row_count: changes, last_insert_rowid: String(lastInsertRowid) }
    })
  }

  /** Runs again while another stream holds the write lock. */
  async #patiently<T>(run: () => T): Promise<T> {
    const deadline = performance.now() + BUSY_MS
    for (;;) {
      try {
        return run()
      } catch (error) {
        if (codeOf(error) !== 'SQLITE_BUSY' || performance.now() > deadline) throw error
        await Bun.sleep(2)
        this.onBusy()
        if (this.closed || this.#client?.aborted) throw new Error('the stream was closed')
      }
    }
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#driver.prepare(sql)
    const { reader } = statement
    if (reader) {
      statement.raw(true)
      statement.safeIntegers(true)
    }
    const columns = reader ? statement.columns().map(({ name, type }) => ({ name, decltype: type })) : []
    const prepared = { statement, reader, columns }
    if (this.#statements.size >= CACHED_STATEMENTS) this.#statements.clear()
    this.#statements.set(sql, prepared)
    return prepared
  }

  #describe(sql: string) {
    const { reader, columns } = this.#prepare(sql)
    const params = [...sql.matchAll(/\?|[:@$]\w+/g)].map(([name]) => ({ name: name === '?' ? null : name }))
    return { params, cols: columns, is_explain: /^\s*explain\b/i.test(sql), is_readonly: reader }
  }

  #textOf({ sql, sql_id }: { sql?: string | null; sql_id?: number | null }): string {
    const text = sql ?? (typeof sql_id === 'number' ? this.#texts.get(sql_id) : undefined)
    if (text === undefined)
      throw Object.assign(new Error('SQL text is not stored'), { code: 'SQL_NOT_FOUND' })
    return text
  }
}

type Steps = { results: (StmtResult | null)[]; errors: (HranaError | null)[]; stream: Stream }

function holds(condition: Condition, steps: Steps): boolean {
  switch (condition.type) {
    case 'ok':
      return Boolean(steps.results[condition.step])
    case 'error':
      return Boolean(steps.errors[condition.step])
    case 'not':
      return !holds(condition.cond, steps)
    case 'and':
      return condition.conds.every((inner) => holds(inner, steps))
    case 'or':
      return condition.conds.some((inner) => holds(inner, steps))
    case 'is_autocommit':
      return !steps.stream.inTransaction
  }
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN'

/** An error in the wire's form, with the real server's wording. */
export function hranaError(error: unknown): HranaError {
  const message = error instanceof Error ? error.message : 'unknown'
  const code = codeOf(error)
  return {
    message: code.startsWith('SQLITE') ? `SQLite error: ${message}` : message,
    code: code.replace(/^(SQLITE_CONSTRAINT)_.*/, '$1'),
  }
}
