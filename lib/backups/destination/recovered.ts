import { eq } from 'drizzle-orm'
import { backupDestinations } from '../../../schema/tables.ts'
import type { Services } from '../../endpoint/context.ts'
import type { Repository } from '../../endpoint/ports/backups.ts'
import { sealDestination } from '../../secrets/copies.ts'
import type { Database } from '../../store/database.ts'
import { moveCopies } from './place.ts'

type Means = Pick<Services, 'keys' | 'now' | 'random'>
type Found = { repository: Pick<Repository, 'destination' | 'key'>; store: string }

/**
 * Has a recovered panel copy to, and restore from, the store that it came from: its database has the address that the
 * store had when it was copied, which may be another machine's by now. All copies that are recorded there are in it.
 */
export async function enterRecovered(db: Database, means: Means, { repository, store }: Found) {
  const row = await db.read.select().from(backupDestinations).get()
  if (!row) return
  const { destination, key } = repository
  const { kind, url, hostKey, credential } = destination
  const secrets = { credential: credential?.reveal() ?? null, password: key.reveal(), random: means.random }
  const sealed = await sealDestination(means.keys, row.node, secrets)
  const entered = { kind, url, hostKey, store, ...sealed, checkedAt: means.now(), toldOn: null }
  await db.write(async (tx) => {
    moveCopies(tx, { ...row, store }, { ...row, ...entered })
    tx.later(tx.update(backupDestinations).set(entered).where(eq(backupDestinations.node, row.node)))
  })
}
