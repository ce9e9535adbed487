import type { Administration } from '../connection.ts'
import { userAt } from '../rights.ts'
import { endSessions } from '../sessions.ts'

const ANSWER_MS = 2_000
/** Accounts with a password, with the client's own that each belongs to; that one is locked while it is suspended. */
const ACCOUNTS = `SELECT DISTINCT a.User AS user, m.User AS owner,
  JSON_VALUE(a.Priv, '$.account_locked') AS locked, JSON_VALUE(o.Priv, '$.account_locked') AS suspended
  FROM mysql.global_priv a JOIN mysql.db d ON d.User = a.User AND d.Host = a.Host
  JOIN mysql.db m ON m.Db = d.Db AND m.Host = 'localhost' AND m.User <> 'mysql' AND m.User NOT LIKE 'LOADING%'
  JOIN mysql.global_priv o ON o.User = m.User AND o.Host = 'localhost' WHERE a.Host = '%'`

/**
 * Locks the accounts with a password of these clients (by their own accounts' names), which come in by the port where
 * the way to the socket is shut, and unlocks those of all others that are not suspended. Throws where the server does
 * not answer.
 */
export async function lockOut(administration: Administration, owners: readonly string[]): Promise<void> {
  const rows = await administration.run(ACCOUNTS, ANSWER_MS)
  for (const { user, owner, locked, suspended } of rows) {
    const isLocked = isTrue(locked)
    const isWanted = isTrue(suspended) || owners.includes(String(owner))
    if (isLocked === isWanted) continue
    const name = String(user)
    await administration.run(
      `ALTER USER ${userAt(name, '%')} ACCOUNT ${isWanted ? 'LOCK' : 'UNLOCK'}`,
      ANSWER_MS,
    )
    if (isWanted) await endSessions(administration, [name])
  }
}

const isTrue = (value: unknown): boolean => ['1', 'true'].includes(String(value))
