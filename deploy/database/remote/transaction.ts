import type { InStatement, InValue, ResultSet, Transaction } from '@libsql/client'
import { BatchCond, type HttpStream, ResponseError, type RowsResult, Stmt } from '@libsql/hrana-client'
import { ownRows } from './results.ts'
import { awayIfServersOwn, DatabaseAway, type Trip } from './round-trip.ts'

type Waiting = {
  statements: Stmt[]
  resolve(results: ResultSet[]): void
  reject(error: unknown): void
}

/** How long BEGIN may wait for the lock, and how long the transaction may take after that, in milliseconds. */
type Limits = {
  beginMs: number
  transactionMs: number
  roundTripMs: number
  /** How the stream's next round trip is made. */
  trip: Trip
}

/** A batch that ends with one of these ends the transaction and its stream. */
const ENDS: InStatement[] = ['COMMIT', 'ROLLBACK']

/** The pause before BEGIN is repeated while another host holds the write lock; doubled each time. */
const BUSY_PAUSE_MS = 20

/**
 * One interactive write transaction on a stream of the server. What is asked in one turn of the event
 * loop goes in one round trip; BEGIN rides with the first; a batch that ends in COMMIT closes the
 * stream too. Every step waits for the one before, so a failed statement commits nothing, and a stream
 * that is closed without COMMIT is rolled back by the server.
 */
export class RemoteTransaction implements Transaction {
  readonly #stream: HttpStream
  readonly #limits: Limits
  #deadline: number
  #waiting: Waiting[] = []
  #exchanging: Promise<void> | null = null
  #begun = false
  #ended = false

  constructor(stream: HttpStream, limits: Limits) {
    this.#stream = stream
    this.#limits = limits
    this.#deadline = performance.now() + limits.beginMs
  }

  get closed(): boolean {
    return this.#ended || this.#stream.closed
  }

  async execute(statement: InStatement): Promise<ResultSet> {
    const [result] = await this.batch([statement])
    if (!result) throw new Error('the statement was not executed')
    return result
  }

  batch(statements: InStatement[]): Promise<ResultSet[]> {
    if (this.#ended) return Promise.reject(new Error('the transaction has ended'))
    if (ENDS.includes(statements.at(-1) ?? '')) this.#ended = true
    return new Promise((resolve, reject) => {
      const refuse = (error: unknown) => reject(awayIfServersOwn(error))
      this.#waiting.push({ statements: statements.map(hranaStatement), resolve, reject: refuse })
      this.#exchanging ??= this.#exchangeAll()
    })
  }

  executeMultiple(): Promise<void> {
    return Promise.reject(new Error('a transaction takes single statements'))
  }

  async commit(): Promise<void> {
    if (!this.#begun && this.#waiting.length === 0) return this.close()
    await this.batch(['COMMIT'])
  }

  async rollback(): Promise<void> {
    const open = this.#begun && !this.#ended
    this.#ended = true
    if (!open) return this.close()
    const done = this.#stream.run('ROLLBACK')
    this.#stream.closeGracefully()
    await done
  }

  close(): void {
    this.#ended = true
    if (!this.#stream.closed) this.#stream.close()
  }

  /** Sends the gathered statements until no more come. */
  async #exchangeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Waits for one turn of the event loop, so that queries that a handler starts side by side travel together.
      await new Promise((resolve) => setTimeout(resolve, 0))
      const waiting = this.#waiting.splice(0)
      try {
        await this.#exchange(waiting)
      } catch (error) {
        for (const { reject } of waiting) reject(error)
      }
    }
    this.#exchanging = null
  }

  async #exchange(waiting: Waiting[]): Promise<void> {
    if (!this.#begun) return this.#begin(waiting)
    if (performance.now() > this.#deadline) throw new DatabaseAway('the transaction took too long')
    await this.#send(waiting, false)
  }

  /** A refused BEGIN has changed nothing, so it is repeated until the deadline. */
  async #begin(waiting: Waiting[]): Promise<void> {
    for (let pauseMs = BUSY_PAUSE_MS; ; pauseMs *= 2) {
      const refusal = await this.#send(waiting, true)
      if (refusal === null) return
      if (!isBusy(refusal) || performance.now() + pauseMs > this.#deadline) throw refusal
      await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random() / 2)))
    }
  }

  /** Makes one round trip; returns why BEGIN was refused, if it was, and settles everything else. */
  async #send(waiting: Waiting[], begin: boolean): Promise<Error | null> {
    const batch = this.#stream.batch(false)
    let last: ReturnType<typeof batch.step> | null = null
    let begun: Promise<unknown> | null = null
    if (begin) {
      last = batch.step()
      begun = last.run('BEGIN IMMEDIATE')
      begun.catch(() => {})
    }
    const results = waiting.map(({ statements }) =>
      statements.map((statement) => {
        const step = batch.step()
        if (last) step.condition(BatchCond.ok(last))
        last = step
        const rows = step.query(statement)
        rows.catch(() => {})
        return rows
      }),
    )
    // A request that begins a transaction and does not commit it may be sent twice: the server rolls the lost one
    // back.
    Object.assign(this.#limits.trip, {
      timeoutMs: begin ? this.#limits.beginMs : this.#limits.roundTripMs,
      repeatable: begin && !this.#ended,
    })
    const executed = batch.execute()
    if (this.#ended) this.#stream.closeGracefully()
    await executed
    try {
      await begun
    } catch (error) {
      if (this.#ended) throw error
      return error instanceof Error ? error : new Error('BEGIN was refused')
    }
    if (begin) this.#deadline = performance.now() + this.#limits.transactionMs
    this.#begun = true
    for (const [i, { resolve, reject }] of waiting.entries())
      await settle(results[i] ?? []).then(resolve, reject)
    return null
  }
}

/** The results of one caller's statements. A skipped step fails with the error of the one that broke the chain. */
async function settle(results: Promise<RowsResult | undefined>[]): Promise<ResultSet[]> {
  const settled: ResultSet[] = []
  for (const result of results) {
    const rows = await result
    if (!rows) throw new Error('not executed: an earlier statement of the transaction failed')
    settled.push(resultSet(rows))
  }
  return settled
}

function resultSet(result: RowsResult): ResultSet {
  const columns = result.columnNames.map((name) => name ?? '')
  // Numbers and not bigint, since the stream's intMode is `number`.
  const { rows } = ownRows({ rows: result.rows as ResultSet['rows'] })
  return {
    rows,
    columns,
    columnTypes: result.columnDecltypes.map((type) => type ?? ''),
    rowsAffected: result.affectedRowCount,
    lastInsertRowid: result.lastInsertRowid,
    toJSON: () => ({ columns, rows }),
  }
}

function hranaStatement(statement: InStatement): Stmt {
  if (typeof statement === 'string') return new Stmt(statement)
  const stmt = new Stmt(statement.sql)
  // drizzle binds by position only.
  if (Array.isArray(statement.args)) stmt.bindIndexes(statement.args as InValue[])
  return stmt
}

const isBusy = (error: Error) =>
  (error instanceof ResponseError && error.code === 'SQLITE_BUSY') || /database is locked/.test(error.message)
