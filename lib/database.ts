import type { Client, InStatement, ResultSet, Transaction } from '@libsql/client'
import type { BatchItem } from 'drizzle-orm/batch'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { drizzle } from 'drizzle-orm/libsql/web'
import * as tables from '../schema/tables.ts'

/** Typed access to all tables; the same inside and outside a transaction. */
export type Db = LibSQLDatabase<typeof tables>

/**
 * A write transaction. `later` keeps statements whose result nobody reads for one batch before commit,
 * since each round trip to a server counts; `flush` runs them now, for a read that must see them.
 */
export type Tx = Db & { later(...queries: BatchItem<'sqlite'>[]): void; flush(): Promise<void> }

/**
 * The panel's store. Reads outside a transaction see the last commit; `write` runs one function in one
 * serialised write transaction, commits what it did or nothing. No network call belongs inside it.
 */
export interface Database {
  read: Db
  write<T>(run: (tx: Tx) => Promise<T>): Promise<T>
  close(): void
}

/** Builds the store over any libSQL client: embedded file or server (architecture section 4). */
export function createDatabase(client: Client): Database {
  const enqueue = serialiser()
  return {
    read: drizzle(client, { schema: tables }),
    write: (run) => enqueue(() => inTransaction(client, run)),
    close: () => client.close(),
  }
}

async function inTransaction<T>(client: Client, run: (tx: Tx) => Promise<T>): Promise<T> {
  const transaction = await client.transaction('write')
  try {
    const pending: BatchItem<'sqlite'>[] = []
    const db = drizzle(clientOf(transaction), { schema: tables })
    const tx = Object.assign(db, {
      later: (...queries: BatchItem<'sqlite'>[]) => void pending.push(...queries),
      async flush() {
        const [first, ...rest] = pending.splice(0)
        if (first) await db.batch([first, ...rest])
      },
    })
    const result = await run(tx)
    await tx.flush()
    await transaction.commit()
    return result
  } catch (error) {
    await transaction.rollback().catch(() => {})
    throw error
  } finally {
    transaction.close()
  }
}

/** A client whose every statement runs in the given transaction, so that drizzle needs no second form. */
function clientOf(transaction: Transaction): Client {
  const refuse = () => {
    throw new Error('not inside a transaction')
  }
  return {
    execute: (statement: InStatement) => transaction.execute(statement),
    batch: (statements: InStatement[]): Promise<ResultSet[]> => transaction.batch(statements),
    transaction: refuse,
    migrate: refuse,
    executeMultiple: refuse,
    sync: refuse,
    reconnect: refuse,
    close: refuse,
    closed: false,
    protocol: 'transaction',
  } as Client // The members that drizzle calls are these; the overloads of `execute` with two arguments are never used.
}

function serialiser(): <T>(run: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const next = last.then(run, run)
    last = next.catch(() => {})
    return next
  }
}
