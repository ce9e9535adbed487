import { eq } from 'drizzle-orm'
import { backupDestinations } from '../../../schema/tables.ts'
import type { Services } from '../../endpoint/context.ts'
import type { Backups } from '../../endpoint/ports/backups.ts'
import { rootMessage } from '../../text/root-message.ts'
import { faultOf, storedFault } from '../../text/stored-faults.ts'
import { type DestinationRow, nodeRepository } from './destination.ts'
import { noting } from './fault.ts'
import { removeGone } from './gone.ts'
import { requireOwn } from './owner.ts'
import { tellOnce } from './tell.ts'

const LONGEST_MS = 3_600_000

/** Copies what this node is made of; answers how many copies that were. Operators are told where it fails. */
export async function copyNode(services: Services): Promise<number> {
  const { db, config, driver, now } = services
  const backups = driver?.backups
  if (!backups || config.node === null) return 0
  const its = eq(backupDestinations.node, config.node)
  const row = await db.read.select().from(backupDestinations).where(its).get()
  if (!row) return 0
  let store: string
  try {
    store = await noting(services, { name: row.node, node: row.node }, () => keep(services, backups, row))
  } catch (error) {
    services.log('warn', 'the node was not copied', { reason: rootMessage(error) })
    const reason = storedFault(faultOf(error))
    await db.write((tx) => tellOnce(tx, services, { client: { name: row.node, node: row.node }, reason }))
    throw error
  }
  await db.write(async (tx) => {
    tx.later(tx.update(backupDestinations).set({ nodeCopiedAt: now(), store }).where(its))
  })
  return 1
}

/** Answers the id of what it is kept in. */
async function keep(services: Services, backups: Backups, row: DestinationRow): Promise<string> {
  const repository = await nodeRepository(services, row)
  const signal = AbortSignal.timeout(LONGEST_MS)
  await backups.open(repository, signal)
  const owner = await requireOwn(services, { backups, repository, signal }, row.node)
  await backups.keepNode(repository, owner, signal)
  // Of one that was entered before ids were kept.
  const store = row.store ?? (await backups.identity(repository, signal))
  await removeGone(services, { backups, row, store, repository, signal })
  return store
}
