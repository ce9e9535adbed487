import { and, eq, inArray, isNull } from 'drizzle-orm'
import { sftpAccounts } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import type { DesiredSftpAccount } from '../endpoint/node-port.ts'
import type { Db, Tx } from '../store/database.ts'

/** The SFTP accounts that a client's node should have. */
export async function desiredAccounts(
  db: Db,
  clientId: number,
  readOnly: boolean,
): Promise<DesiredSftpAccount[]> {
  const rows = await db.select().from(sftpAccounts).where(eq(sftpAccounts.clientId, clientId))
  return rows.map(({ name, siteId, keys, passwordHash }) => ({
    name,
    siteId,
    keys: keys.map(({ type, data }) => `${type} ${data}`),
    passwordHash,
    readOnly,
  }))
}

/** Records that the node has these accounts now. */
export function markApplied(tx: Tx, { now }: Pick<Services, 'now'>, accounts: DesiredSftpAccount[]): void {
  if (accounts.length === 0) return
  const names = accounts.map(({ name }) => name)
  const fresh = and(inArray(sftpAccounts.name, names), isNull(sftpAccounts.appliedAt))
  tx.later(tx.update(sftpAccounts).set({ appliedAt: now() }).where(fresh))
}
