import type { Administration } from '../connection.ts'

/** The panel's own, and the one that dumps. */
const OWN = ['root', 'mysql']

/** Sessions as the server lists them; `owner` is the account of the client that each belongs to. */
const SESSIONS = `SELECT p.id AS id, p.command AS command, p.tid AS thread, p.time_ms AS ms, p.memory_used AS bytes,
  coalesce((SELECT m.User FROM mysql.db d JOIN mysql.db m ON m.Db = d.Db AND m.Host = 'localhost' AND m.User <> 'mysql'
    WHERE d.User = p.user AND d.Host = '%' LIMIT 1), p.user) AS owner
  FROM information_schema.processlist p
  WHERE p.user NOT IN ('${OWN.join("', '")}', 'system user', 'event_scheduler', 'unauthenticated user') ORDER BY p.id`

const TRANSACTIONS = `SELECT trx_mysql_thread_id AS session, timestampdiff(SECOND, trx_started, now()) AS seconds,
  trx_rows_modified AS changed, trx_tables_locked AS locked FROM information_schema.innodb_trx`

export type Session = {
  id: number
  owner: string
  isBusy: boolean
  /** Told to end. */
  isKilled: boolean
  thread: number
  ms: number
  bytes: number
}

/** What a session has open, or its statement alone: since when, rows that it changed, tables that it holds. */
export type Transaction = { session: number; seconds: number; changed: number; locked: number }

/** The sessions of customers, the oldest first. */
export async function sessionsOf({ run }: Administration, timeoutMs: number): Promise<Session[]> {
  const rows = await run(SESSIONS, timeoutMs)
  return rows.map(({ id, owner, command, thread, ms, bytes }) => ({
    id: Number(id),
    owner: String(owner),
    isBusy: command !== 'Sleep',
    isKilled: command === 'Killed',
    thread: Number(thread),
    ms: Number(ms),
    bytes: Number(bytes),
  }))
}

/** The transactions of these sessions. */
export async function transactionsOf(
  { run }: Administration,
  sessions: readonly Session[],
  timeoutMs: number,
): Promise<Transaction[]> {
  const known = new Set(sessions.map(({ id }) => id))
  const rows = await run(TRANSACTIONS, timeoutMs)
  return rows
    .map(({ session, seconds, changed, locked }) => ({
      session: Number(session),
      seconds: Number(seconds),
      changed: Number(changed),
      locked: Number(locked),
    }))
    .filter(({ session }) => known.has(session))
}
