import type { Client, InStatement, ResultSet, Transaction } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql/web'
import { type Db, type Late, type Query, type Reading, statementOf } from './reading.ts'

export type { Db } from './reading.ts'

/**
 * A write transaction. An awaited query runs at once, which costs a server's round trip; queries begun in the same
 * turn share it. A read sees all writes put off before it, since its round trip takes them along.
 */
export type Tx = Db & {
  /**
   * Puts writes off until the next statement that runs, or the commit. If one fails then, the transaction fails,
   * whichever call that error reaches.
   */
  later(...queries: Query[]): void
  /** A read whose result is only wanted in the answer: it shares the commit's round trip. */
  last<T>(reading: Reading<T>): Late<T>
  /** For a dry run: reads what everything so far would lead to, and undoes it all in the same round trip. */
  discard<T>(reading: Reading<T>): Promise<T>
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
   * To be called when a row is missing that should be there: a failing disk may leave its readers with an old or
   * empty view. True where another look is worth it; throws where the database cannot be read.
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
    read: drizzle(client),
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

/** One write transaction: the writes put off, and the round trips that take them along. */
class Writing {
  readonly tx: Tx
  readonly #transaction: Transaction
  readonly #pending: InStatement[] = []
  readonly #finals: Final[] = []
  #ending: 'COMMIT' | 'ROLLBACK' | null = null
  /** Why a round trip that took writes along failed. */
  #fault: { error: unknown } | null = null

  constructor(transaction: Transaction) {
    this.#transaction = transaction
    this.tx = Object.assign(drizzle(this.#client()), {
      later: (...queries: Query[]) => void this.#pending.push(...queries.map(statementOf)),
      last: <R>(reading: Reading<R>) => this.#last(reading),
      discard: <R>(reading: Reading<R>) => this.#discard(reading),
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

  /** A client whose every statement runs in this transaction, so that drizzle needs no second form. */
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
    } as unknown as Client // drizzle calls these; the overloads of `execute` with two arguments it never uses.
  }
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
