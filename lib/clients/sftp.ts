import { and, eq, inArray, isNull } from 'drizzle-orm'
import { clients, plans, sftpAccounts } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import type { DesiredSftpAccount } from '../endpoint/ports/sftp.ts'
import type { Db, Tx } from '../store/database.ts'

/** The SFTP accounts that a client's node should have. */
export async function desiredAccounts(
  db: Db,
  clientId: number,
  readOnly: boolean,
): Promise<DesiredSftpAccount[]> {
  const rows = await db.select().from(sftpAccounts).where(eq(sftpAccounts.clientId, clientId))
  return rows.map((row) => desired(row, readOnly))
}

/**
 * The accounts that the nodes of these clients should have, by client; whether they may write is left out, since that
 * follows what each client uses from minute to minute.
 */
export async function accountsOf(db: Db, clientIds: number[]): Promise<Map<number, DesiredSftpAccount[]>> {
  const rows = await db
    .select({ account: sftpAccounts, functions: plans.functions })
    .from(sftpAccounts)
    .innerJoin(clients, eq(clients.id, sftpAccounts.clientId))
    .leftJoin(plans, eq(plans.id, clients.planId))
    .where(and(inArray(sftpAccounts.clientId, clientIds), eq(clients.state, 'activo')))
  const included = rows.filter(({ functions }) => functions?.includes('sftp') ?? true)
  return Map.groupBy(
    included.map(({ account }) => ({ clientId: account.clientId, ...desired(account, false) })),
    ({ clientId }) => clientId,
  )
}

const desired = (
  { name, siteId, keys, passwordHash }: typeof sftpAccounts.$inferSelect,
  readOnly: boolean,
): DesiredSftpAccount => ({
  name,
  siteId,
  keys: keys.map(({ type, data }) => `${type} ${data}`),
  passwordHash,
  readOnly,
})

/** Records that the node has these accounts now. */
export function markApplied(tx: Tx, { now }: Pick<Services, 'now'>, accounts: DesiredSftpAccount[]): void {
  if (accounts.length === 0) return
  const names = accounts.map(({ name }) => name)
  const fresh = and(inArray(sftpAccounts.name, names), isNull(sftpAccounts.appliedAt))
  tx.later(tx.update(sftpAccounts).set({ appliedAt: now() }).where(fresh))
}
