import { eq, max } from 'drizzle-orm'
import { clients, sftpAccounts } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import type { SftpUse } from '../endpoint/node-port.ts'

/** Uses on this node that are newer than those in the database. */
export async function newUses({ db, driver, config }: Services): Promise<SftpUse[]> {
  if (driver === null || config.node === null || driver.sftp() === null) return []
  const row = await db.read
    .select({ session: max(sftpAccounts.lastSessionAt), password: max(sftpAccounts.passwordUsedAt) })
    .from(sftpAccounts)
    .innerJoin(clients, eq(clients.id, sftpAccounts.clientId))
    .where(eq(clients.node, config.node))
    .get()
  const known = [row?.session, row?.password].flatMap((at) => at ?? [])
  const latest = known.length === 0 ? null : new Date(Math.max(...known.map((at) => at.getTime())))
  return driver.sftpUses(latest)
}

/** Records when accounts and passwords were last used; returns how many uses those were. */
export async function recordUses(services: Services): Promise<number> {
  const uses = await newUses(services)
  if (uses.length === 0) return 0
  await services.db.write(async (tx) => {
    for (const { account, kind, at } of uses) {
      const set = kind === 'session' ? { lastSessionAt: at } : { passwordUsedAt: at }
      tx.later(tx.update(sftpAccounts).set(set).where(eq(sftpAccounts.name, account)))
    }
  })
  return uses.length
}
