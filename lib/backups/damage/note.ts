import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { backupRepositories, clients } from '../../../schema/tables.ts'
import type { Client } from '../../clients/decide.ts'
import type { Services } from '../../endpoint/context.ts'
import type { Db, Tx } from '../../store/database.ts'
import { gone } from '../errors.ts'

/** Records that a destination has nothing of a client any more. */
export const noteLost = (services: Services, client: Pick<Client, 'id'>): Promise<void> =>
  services.db.write(async (tx) => setFault(tx, services, client, gone()))

function setFault(
  tx: Tx,
  { now }: Pick<Services, 'now'>,
  ...[{ id }, fault]: [Pick<Client, 'id'>, string | null]
): void {
  const faultAt = fault === null ? null : sql`coalesce(${backupRepositories.faultAt}, ${now().getTime()})`
  tx.later(tx.update(backupRepositories).set({ fault, faultAt }).where(eq(backupRepositories.clientId, id)))
}

/** Forgets that a repository was lost: it is there again, or made anew. */
export async function noteThere({ db }: Pick<Services, 'db'>, { id }: Pick<Client, 'id'>): Promise<void> {
  const lost = and(eq(backupRepositories.clientId, id), eq(backupRepositories.fault, gone()))
  const row = await db.read
    .select({ name: backupRepositories.name })
    .from(backupRepositories)
    .where(lost)
    .get()
  if (!row) return
  await db.write(async (tx) => {
    tx.later(tx.update(backupRepositories).set({ fault: null, faultAt: null }).where(lost))
  })
}

/** The clients of a node whose repository is damaged or lost, with the stored fault. */
export const selectDamaged = (db: Db, node: string | null) =>
  db
    .select({ client: clients.name, node: clients.node, fault: sql<string>`${backupRepositories.fault}` })
    .from(backupRepositories)
    .innerJoin(clients, eq(clients.id, backupRepositories.clientId))
    .where(and(isNotNull(backupRepositories.fault), node === null ? undefined : eq(clients.node, node)))
    .orderBy(clients.name)
