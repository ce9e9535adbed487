import type { Client, InStatement, ResultSet, Transaction } from '@libsql/client'
import { createClient } from '@libsql/client/web'
import { openHttp } from '@libsql/hrana-client'
import { ownRows } from './results.ts'
import { awayIfServersOwn, deadlineFetch, type Fetch } from './round-trip.ts'
import { RemoteTransaction } from './transaction.ts'

export type RemoteOptions = {
  /** `libsql://` or `https://`; `http://` only on loopback, for tests. */
  url: string
  token: string | null
  /** A `fetch` that trusts a private authority, if the server's certificate needs one. */
  fetch?: Fetch
  /** Longest round trip, and longest transaction from its begin to its commit. */
  roundTripMs?: number
  transactionMs?: number
  /** The longest wait for the write lock, which a host that died in a transaction keeps for up to five seconds. */
  beginMs?: number
}

const ROUND_TRIP_MS = 3000
const TRANSACTION_MS = 5000
const BEGIN_MS = 6000

/**
 * A libSQL client on a server, always its primary: a revoked token must be dead at once, and a replica
 * may lag. `@libsql/client/web` speaks to it, but for transactions, whose commit rides here with the
 * last statements instead of costing a round trip of its own. No connection is kept: each round trip is
 * a request, so a server that went away and came back needs nothing from us.
 */
export function remoteClient(options: RemoteOptions): Client {
  const roundTripMs = options.roundTripMs ?? ROUND_TRIP_MS
  const transactionMs = options.transactionMs ?? TRANSACTION_MS
  const beginMs = options.beginMs ?? options.roundTripMs ?? BEGIN_MS
  const send = deadlineFetch(options.fetch ?? globalThis.fetch.bind(globalThis))
  // Used for reads, and for statements of migrations, each of which can be repeated.
  const fetch = (request: Request) => send(request, { timeoutMs: roundTripMs, repeatable: true })
  const authToken = options.token === null ? {} : { authToken: options.token }
  // No limit on parallel calls: its queue would mix promises of several requests, which a function host forbids.
  const plain = createClient({ url: options.url, ...authToken, fetch, concurrency: Number.POSITIVE_INFINITY })
  const client = {
    get closed() {
      return plain.closed
    },
    protocol: 'http',
    execute: async (statement: InStatement): Promise<ResultSet> =>
      ownRows(await plain.execute(statement).catch(rethrown)),
    batch: async (statements: InStatement[]): Promise<ResultSet[]> =>
      (await plain.batch(statements, 'read').catch(rethrown)).map(ownRows),
    async transaction(): Promise<Transaction> {
      const trip = { timeoutMs: beginMs, repeatable: true }
      const hrana = openHttp(httpUrl(options.url), options.token ?? undefined, (request: Request) =>
        send(request, trip),
      )
      return new RemoteTransaction(hrana.openStream(), { beginMs, transactionMs, roundTripMs, trip })
    },
    executeMultiple: (sql: string) => plain.executeMultiple(sql),
    migrate: (statements: InStatement[]) => plain.migrate(statements),
    sync: async () => undefined,
    reconnect: () => plain.reconnect(),
    close: () => plain.close(),
  }
  return client
}

function rethrown(error: unknown): never {
  throw awayIfServersOwn(error)
}

const httpUrl = (url: string) => url.replace(/^libsql:/, 'https:')
