import { readFileSync } from 'node:fs'
import { writeWhole } from '../../host/files.ts'
import type { Administration } from '../connection.ts'
import { temporaryTablesOn, userAt } from '../rights.ts'
import { endSessions } from '../sessions.ts'

const DAY_MS = 24 * 3_600_000
const ACCOUNT = /^[a-z0-9_]{1,64}$/

export type Withheld = ReturnType<typeof withheldRights>

/**
 * Clients that may make no temporary tables for a day, because theirs filled the server's file: it gives nothing back
 * while the server runs, so each time it would grow a little more. Kept in a file, so that no restart forgets it.
 */
export function withheldRights(administration: Administration, directory: string) {
  const path = `${directory}/withheld.json`
  const until = keptIn(path)
  const keep = () => writeWhole({ path, content: JSON.stringify(Object.fromEntries(until)), mode: 0o600 })
  return {
    has: (account: string): boolean => until.has(account),

    /** Takes the right from all accounts of a client, and ends their sessions, which have the tables. */
    async take(account: string): Promise<void> {
      until.set(account, Date.now() + DAY_MS)
      keep()
      const rows = await rightsOf(administration, account)
      for (const { user, host, base } of rows.filter(({ temporary }) => temporary)) {
        await administration.run(temporaryTablesOn(base, userAt(user, host), 'REVOKE'))
      }
      await endSessions(administration, [...new Set([account, ...rows.map(({ user }) => user)])])
    },

    /** Gives it back to those who may add to a base, when the day is over. */
    async giveBack(): Promise<void> {
      const now = Date.now()
      for (const [account, end] of until) {
        // A later end than a day from now is of a clock that was set back since.
        if (end > now && end <= now + DAY_MS) continue
        const rows = await rightsOf(administration, account)
        for (const { user, host, base } of rows.filter(({ grows, temporary }) => grows && !temporary)) {
          await administration.run(temporaryTablesOn(base, userAt(user, host), 'GRANT'))
        }
        until.delete(account)
        keep()
      }
    },
  }
}

function keptIn(path: string): Map<string, number> {
  try {
    const kept = Object.entries(JSON.parse(readFileSync(path, 'utf8')))
    return new Map(
      kept.filter(
        (entry): entry is [string, number] => ACCOUNT.test(entry[0]) && typeof entry[1] === 'number',
      ),
    )
  } catch {
    // Whatever became of it keeps no node from its start.
    return new Map()
  }
}

/** What all accounts have on the bases of a client, which its own account is known by. */
async function rightsOf({ run }: Administration, account: string) {
  if (!ACCOUNT.test(account)) throw new TypeError('not an account')
  const rows = await run(
    `SELECT m.User AS user, m.Host AS host, m.Db AS base, m.Insert_priv AS grows, m.Create_tmp_table_priv AS temporary
      FROM mysql.db d JOIN mysql.db m ON m.Db = d.Db AND m.User <> 'mysql'
      WHERE d.User = '${account}' AND d.Host = 'localhost'`,
  )
  return rows.map(({ user, host, base, grows, temporary }) => ({
    user: String(user),
    host: host === '%' ? ('%' as const) : ('localhost' as const),
    base: String(base).replaceAll('\\', ''),
    grows: grows === 'Y',
    temporary: temporary === 'Y',
  }))
}
