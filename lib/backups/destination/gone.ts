import { and, asc, eq, lte, notInArray } from 'drizzle-orm'
import { backupRepositories, goneRepositories } from '../../../schema/tables.ts'
import { recordAudit } from '../../audit/audit.ts'
import type { Services } from '../../endpoint/context.ts'
import type { Backups, Repository } from '../../endpoint/ports/backups.ts'
import { rootMessage } from '../../text/root-message.ts'
import { removedDetail } from '../view.ts'
import type { DestinationRow } from './destination.ts'

const DAY_MS = 86_400_000
/** So long an older copy of the node can bring back the key that opens it. */
const NODE_COPIES_DAYS = 183
const A_NIGHT = 20

/** The entry of the audit trail about a repository that was removed. */
const REMOVED = 'copias.retirar'

type Found = {
  backups: Backups
  row: DestinationRow
  store: string
  /** The node's own. */
  repository: Repository
  signal: AbortSignal
}

/**
 * Removes the repositories of clients that were deleted so long ago that neither the bin nor an older copy of the node
 * brings them back. The destination has this panel's own copies, and still is the store that it was: what was recorded
 * elsewhere, or under a name that a client has, is left alone.
 */
export async function removeGone(
  services: Services,
  { backups, row, store, repository, signal }: Found,
): Promise<void> {
  const { db, now, config } = services
  const until = new Date(now().getTime() - (config.trashDays + NODE_COPIES_DAYS) * DAY_MS)
  const held = db.read.select({ name: backupRepositories.name }).from(backupRepositories)
  const { node, name, goneAt } = goneRepositories
  const its = and(eq(node, row.node), eq(goneRepositories.store, store), lte(goneAt, until))
  const due = await db.read
    .select()
    .from(goneRepositories)
    .where(and(its, notInArray(name, held)))
    .orderBy(asc(goneAt))
    .limit(A_NIGHT)
  if (due.length === 0 || (await backups.identity(repository, signal)) !== store) return
  const { destination } = repository
  for (const one of due) {
    if (isRemoved(services, backups, { ...one, destination })) await noteRemoved(services, one)
  }
}

function isRemoved(
  services: Services,
  backups: Backups,
  gone: Parameters<Backups['remove']>[0] & { client: string },
): boolean {
  try {
    return backups.remove(gone)
  } catch (error) {
    const about = { client: gone.client, reason: `${gone.name}: ${rootMessage(error)}` }
    services.log('warn', 'copies of a deleted client left', about)
    return false
  }
}

async function noteRemoved(
  services: Services,
  { name, client, node }: typeof goneRepositories.$inferSelect,
): Promise<void> {
  await services.db.write(async (tx) => {
    tx.later(tx.delete(goneRepositories).where(eq(goneRepositories.name, name)))
    const note = { target: name, detail: removedDetail({ client, node }) }
    const about = { actor: { kind: 'system' as const }, operation: REMOVED, requestId: null }
    recordAudit(tx, services, { ...about, outcome: 'hecho', note })
  })
}
