import type { Client, InStatement, InValue, ResultSet, Transaction } from '@libsql/client'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { drizzle } from 'drizzle-orm/libsql/web'
import * as tables from '../schema/tables.ts'
import { asSent, Foreseen, isForeseeing } from './foreseen.ts'
import { isPlainWrite, isRead, KnownReads } from './known-reads.ts'
import { type Late, type Query, type Reading, statementOf } from './reading.ts'

/** Typed access to all tables; the same inside and outside a transaction. */
export type Db = LibSQLDatabase<typeof tables>

/**
 * A write transaction, made so that over a server, where each round trip counts, few are needed. Writes
 * without RETURNING are put off until the next read, which takes them along, or the commit. One that then
 * fails fails the transaction, whoever was answered with it. A read that was made before, and that no
 * write since concerns, is not made again.
 */
export type Tx = Db & {
  /** Puts a write off; the same as awaiting it, for where nothing is awaited. */
  later(...queries: Query[]): void
  /** Makes reads side by side that will be made one after another; what they throw, they throw then. */
  ahead(...reads: (() => Promise<unknown>)[]): Promise<void>
  /**
   * The value that a query of one value will find, given out at once for other reads made ahead, as what it
   * will be. Only to be put into queries.
   */
  foresee<T extends number | string>(query: Query): T
  /** A read whose result is only wanted in the answer: it shares the commit's round trip. */
  last<T>(reading: Reading<T>): Late<T>
  /** What a reading would see after everything, in the round trip that undoes it all and ends the transaction. */
  rehearse<T>(reading: Reading<T>): Promise<T>
}

/** How long one process's own writes wait for each other. */
export const QUEUE_MS = 8000

export type DatabaseOptions = {
  /**
   * How long a write waits for the earlier ones of this process before it is refused; null where the
   * server's own lock orders them, since a function host lets no request wait for another's.
   */
  queueMs: number | null
}

/**
 * The panel's store. Reads outside a transaction see the last commit; `write` runs one function in one
 * serialised write transaction, commits what it did or nothing. Where it throws, `refused` may queue
 * what is kept all the same: it is committed in place of what was undone. No network call belongs inside.
 */
export interface Database {
  read: Db
  write<T>(run: (tx: Tx) => Promise<T>, refused?: (tx: Tx, error: unknown) => void): Promise<T>
  /**
   * For what was not found and should be there: a disk that fails may leave what reads it with an old or an empty
   * view. True where another look is worth it; throws where the database cannot be read.
   */
  renew(): boolean
  close(): void
}

/** A client whose view of a disk can be opened anew: true where it was, an error where the disk cannot be read. */
export type Renewable = Client & { renew?(): boolean }

/** Builds the store over any libSQL client: embedded file or server (architecture section 4). */
export function createDatabase(
  client: Renewable,
  options: DatabaseOptions = { queueMs: QUEUE_MS },
): Database {
  const enqueue = options.queueMs === null ? <T>(run: () => Promise<T>) => run() : serialiser(options.queueMs)
  return {
    read: drizzle(client, { schema: tables }),
    write: (run, refused) => enqueue(() => inTransaction(client, run, refused)),
    renew: () => client.renew?.() ?? false,
    close: () => client.close(),
  }
}

async function inTransaction<T>(
  client: Client,
  run: (tx: Tx) => Promise<T>,
  refused?: (tx: Tx, error: unknown) => void,
): Promise<T> {
  const transaction = await client.transaction('write')
  const writing = new Writing(transaction)
  try {
    const result = await run(writing.tx)
    await writing.end()
    return result
  } catch (error) {
    await writing.undo((tx) => refused?.(tx, error)).catch(() => {})
    throw error
  } finally {
    transaction.close()
  }
}

type Final = { queries: Query[]; take(results: unknown[]): void }

/** One write transaction: what was put off, and the round trips that take it along. */
class Writing {
  readonly tx: Tx
  readonly #transaction: Transaction
  readonly #pending: InStatement[] = []
  readonly #known = new KnownReads()
  readonly #finals: Final[] = []
  readonly #finding: Promise<void>[] = []
  #ending: 'COMMIT' | 'ROLLBACK' | null = null
  /** Why a round trip that took writes along failed. */
  #fault: { error: unknown } | null = null

  constructor(transaction: Transaction) {
    this.#transaction = transaction
    this.tx = Object.assign(drizzle(this.#client(), { schema: tables }), {
      later: (...queries: Query[]) => {
        for (const query of queries) this.#putOff(statementOf(query))
      },
      ahead: async (...reads: (() => Promise<unknown>)[]) =>
        void (await Promise.allSettled([...reads.map((read) => read()), ...this.#finding.splice(0)])),
      // The queries that it is put into take it for its value; nothing else is given it.
      foresee: <T>(query: Query) => this.#foresee(query) as T,
      last: <R>(reading: Reading<R>) => this.#last(reading),
      rehearse: async <R>({ queries, view }: Reading<R>) => {
        const late = this.#last({ queries, view })
        await this.end('ROLLBACK')
        return late.take()
      },
    })
  }

  /** The writes put off, the last reads and COMMIT in one batch: a failed statement keeps the rest from running. */
  async end(how: 'COMMIT' | 'ROLLBACK' = 'COMMIT'): Promise<void> {
    if (this.#fault) throw this.#fault.error
    this.#ending = how
    const [first, ...rest] = this.#finals.flatMap(({ queries }) => queries)
    if (!first) return void (await this.#batch([]))
    const results: unknown[] = await this.tx.batch([first, ...rest])
    for (const { queries, take } of this.#finals) take(results.splice(0, queries.length))
  }

  /** Undoes everything and, in the same round trip, commits what the refusal leaves. */
  async undo(keep: (tx: Tx) => void): Promise<void> {
    this.#pending.length = 0
    keep(this.tx)
    if (this.#pending.length === 0 || this.#transaction.closed) return this.#transaction.rollback()
    await this.#transaction.batch(['ROLLBACK', 'BEGIN IMMEDIATE', ...this.#pending.splice(0), 'COMMIT'])
  }

  #last<R>({ queries, view }: Pick<Reading<R>, 'queries' | 'view'>): Late<R> {
    const late: Late<R> = {
      take() {
        throw new Error('not committed yet')
      },
    }
    this.#finals.push({
      queries,
      take(results) {
        late.take = () => view(results)
      },
    })
    return late
  }

  #foresee(query: Query): unknown {
    const { sql, params } = query.toSQL()
    const foreseen = new Foreseen({ sql, args: params as InValue[] }) // drizzle has encoded them for the driver.
    const found = ({ rows: [row] }: ResultSet) => {
      foreseen.value = row?.[0] ?? null
      this.#known.settle()
    }
    // What is read with a value that is never found is read again.
    this.#finding.push(this.#run(foreseen.query).then(found, () => {}))
    return foreseen
  }

  async #batch(statements: InStatement[]): Promise<ResultSet[]> {
    const before = this.#pending.splice(0)
    const after = this.#ending ? [this.#ending] : []
    const sent = statements.map(asSent)
    const results = await this.#transaction.batch([...before, ...sent, ...after]).catch((error) => {
      // What is asked ahead may fail unseen; the writes that went with it may not.
      if (before.length > 0) this.#fault ??= { error }
      throw error
    })
    return results.slice(before.length, before.length + statements.length)
  }

  #execute(statement: InStatement): Promise<ResultSet> {
    if (isPlainWrite(statement)) {
      this.#putOff(statement)
      return Promise.resolve(NOTHING)
    }
    return this.#known.get(statement) ?? this.#known.keep(statement, this.#run(statement))
  }

  #putOff(statement: InStatement): void {
    if (isForeseeing(statement)) throw new Error('a write of a value that is only foreseen')
    this.#known.forget(statement)
    this.#pending.push(statement)
  }

  async #run(statement: InStatement): Promise<ResultSet> {
    if (this.#pending.length === 0) return this.#transaction.execute(asSent(statement))
    const [result] = await this.#batch([statement])
    if (!result) throw new Error('the statement was not executed')
    return result
  }

  /** A batch of reads, of which only those are made whose answer is not known. */
  async #reads(statements: InStatement[]): Promise<ResultSet[]> {
    const writes = statements.filter((statement) => !isRead(statement))
    for (const write of writes) this.#known.forget(write)
    if (writes.length > 0) return this.#batch(statements)
    const missing = statements.filter((statement) => !this.#known.get(statement))
    if (missing.length > 0) {
      const results = this.#batch(missing)
      for (const [i, statement] of missing.entries())
        this.#known.keep(
          statement,
          results.then((all) => nth(all, i)),
        )
    }
    return Promise.all(statements.map((statement) => this.#execute(statement)))
  }

  /** A client whose every statement runs in this transaction, so that drizzle needs no second form. */
  #client(): Client {
    const refuse = () => {
      throw new Error('not inside a transaction')
    }
    return {
      execute: (statement: InStatement) => this.#execute(statement),
      batch: (statements: InStatement[]) =>
        this.#ending ? this.#batch(statements) : this.#reads(statements),
      transaction: refuse,
      migrate: refuse,
      executeMultiple: refuse,
      sync: refuse,
      reconnect: refuse,
      close: refuse,
      closed: false,
      protocol: 'transaction',
    } as unknown as Client // drizzle calls these; the overloads of `execute` with two arguments it never uses.
  }
}

/** What a write that was put off answers: nobody asks how many rows it changed. */
const NOTHING: ResultSet = {
  columns: [],
  columnTypes: [],
  rows: [],
  rowsAffected: 0,
  lastInsertRowid: undefined,
  toJSON: () => ({}),
}

function nth(results: ResultSet[], i: number): ResultSet {
  const result = results[i]
  if (!result) throw new Error('the statement was not executed')
  return result
}

/** Runs one after another, in order; what has waited for `waitMs` is refused and never run. */
function serialiser(waitMs: number): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let busy = 0
  return (run) => {
    if (busy === 0) return start(run)
    const queued = waiting(waitMs, run)
    return start(queued.run, queued.late)
  }

  function start<T>(run: () => Promise<T>, late?: Promise<never>): Promise<T> {
    busy++
    const next = last.then(run, run)
    last = next.then(
      () => void busy--,
      () => void busy--,
    )
    return late ? Promise.race([next, late]) : next
  }
}

function waiting<T>(waitMs: number, run: () => Promise<T>) {
  let timer: ReturnType<typeof setTimeout>
  let gone = false
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      gone = true
      reject(new Error('database is locked: too many writes wait'))
    }, waitMs)
  })
  late.catch(() => {})
  const unlessLate = (): Promise<T> => {
    clearTimeout(timer)
    return gone ? late : run()
  }
  return { run: unlessLate, late }
}
