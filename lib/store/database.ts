import type { Client, InStatement, ResultSet, Transaction } from '@libsql/client'
import { drizzleOver } from './drizzle.ts'
import { type Db, type Late, type Query, type Reading, statementOf } from './reading.ts'

export type { Db } from './reading.ts'

/**
 * A write transaction. An awaited query runs at once and costs a round trip to the server; queries begun in the same
 * turn of the event loop share it. A read sees all writes put off before it, because they run first in the same round
 * trip.
 */
export type Tx = Db & {
  /**
   * Puts writes off until the next awaited statement or the commit. If one fails then, the transaction fails,
   * whichever call gets the error.
   */
  later(...queries: Query[]): void
  /** A read that only the answer needs: it shares the commit's round trip. */
  last<T>(reading: Reading<T>): Late<T>
  /** For a dry run: reads the state that the writes so far lead to, and rolls them back in the same round trip. */
  discard<T>(reading: Reading<T>): Promise<T>
}

/** How long writes of one process wait for each other. */
export const QUEUE_MS = 8000

export type DatabaseOptions = {
  /**
   * How long a write waits for earlier ones of this process before it is refused. Null if the server's own lock
   * orders them, since function hosts do not let a request wait for another.
   */
  queueMs: number | null
}

/**
 * The panel's store. Reads outside a transaction see the last commit; `write` runs a function in one serialised write
 * transaction and commits all of it or nothing. If the function throws, `refused` may add writes that are committed
 * after the rollback. No network call belongs inside.
 */
export interface Database {
  read: Db
  write<T>(run: (tx: Tx) => Promise<T>, refused?: (tx: Tx, error: unknown) => void): Promise<T>
  /**
   * To be called when a row is missing that should exist: a failing disk may leave readers with an old or empty view.
   * True if reading again is worthwhile; throws if the database cannot be read.
   */
  renew(): boolean
  close(): void
}

/** A client whose view of the disk can be opened anew: true if it was, an error if the disk cannot be read. */
export type Renewable = Client & { renew?(): boolean }

/** Builds the store over any libSQL client: an embedded file or a server (architecture section 4). */
export function createDatabase(
  client: Renewable,
  options: DatabaseOptions = { queueMs: QUEUE_MS },
): Database {
  const enqueue = options.queueMs === null ? <T>(run: () => Promise<T>) => run() : serialiser(options.queueMs)
  return {
    read: drizzleOver(client),
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

/** One write transaction: the writes put off so far, and the round trips that carry them. */
class Writing {
  readonly tx: Tx
  readonly #transaction: Transaction
  readonly #pending: InStatement[] = []
  readonly #finals: Final[] = []
  #ending: 'COMMIT' | 'ROLLBACK' | null = null
  /** Why a round trip that carried writes failed. */
  #fault: { error: unknown } | null = null

  constructor(transaction: Transaction) {
    this.#transaction = transaction
    this.tx = Object.assign(drizzleOver(this.#client()), {
      later: (...queries: Query[]) => void this.#pending.push(...queries.map(statementOf)),
      last: <R>(reading: Reading<R>) => this.#last(reading),
      discard: <R>(reading: Reading<R>) => this.#discard(reading),
    })
  }

  /**
   * Sends the remaining writes, the last reads and COMMIT as one batch: after a failed statement the rest does not
   * run.
   */
  async end(how: 'COMMIT' | 'ROLLBACK' = 'COMMIT'): Promise<void> {
    if (this.#fault) throw this.#fault.error
    this.#ending = how
    const [first, ...rest] = this.#finals.flatMap(({ queries }) => queries)
    if (!first) return void (await this.#batch([]))
    const results: unknown[] = await this.tx.batch([first, ...rest])
    for (const { queries, take } of this.#finals) take(results.splice(0, queries.length))
  }

  /** Rolls everything back and, in the same round trip, commits what `keep` writes. */
  async undo(keep: (tx: Tx) => void): Promise<void> {
    this.#pending.length = 0
    keep(this.tx)
    if (this.#pending.length === 0 || this.#transaction.closed) return this.#transaction.rollback()
    await this.#transaction.batch(['ROLLBACK', 'BEGIN IMMEDIATE', ...this.#pending.splice(0), 'COMMIT'])
  }

  async #discard<R>(reading: Reading<R>): Promise<R> {
    const late = this.#last(reading)
    await this.end('ROLLBACK')
    return late.take()
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

  async #batch(statements: InStatement[]): Promise<ResultSet[]> {
    const before = this.#pending.splice(0)
    const after = this.#ending ? [this.#ending] : []
    const results = await this.#transaction.batch([...before, ...statements, ...after]).catch((error) => {
      // A caller may ignore a failed read, but not failed writes that went with it.
      if (before.length > 0) this.#fault ??= { error }
      throw error
    })
    return results.slice(before.length, before.length + statements.length)
  }

  async #execute(statement: InStatement): Promise<ResultSet> {
    if (this.#pending.length === 0) return this.#transaction.execute(statement)
    const [result] = await this.#batch([statement])
    if (!result) throw new Error('the statement was not executed')
    return result
  }

  /** A libSQL client whose statements all run in this transaction, so that drizzle works on it unchanged. */
  #client(): Client {
    const refuse = () => {
      throw new Error('not inside a transaction')
    }
    return {
      execute: (statement: InStatement) => this.#execute(statement),
      batch: (statements: InStatement[]) => this.#batch(statements),
      transaction: refuse,
      migrate: refuse,
      executeMultiple: refuse,
      sync: refuse,
      reconnect: refuse,
      close: refuse,
      closed: false,
      protocol: 'transaction',
    }
  }
}

/** Runs functions one after another, in order; one that has waited for `waitMs` is refused and never run. */
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
