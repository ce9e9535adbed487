import { sql } from 'drizzle-orm'
import type { Services } from '../../endpoint/context.ts'
import { BackupFault, type Backups, type Repository } from '../../endpoint/ports/backups.ts'
import { sha256 } from '../../secrets/hash.ts'
import { decideOwner, ownerName } from './decide-owner.ts'

/**
 * Under which name a node keeps its copies, in a repository that is no other panel's: two panels at one address would
 * forget each other's copies, and a lost machine would come back as the other.
 */
export async function requireOwn(
  { db }: Pick<Services, 'db'>,
  {
    backups,
    repository,
    signal,
  }: { backups: Pick<Backups, 'owners'>; repository: Repository; signal: AbortSignal },
  node: string,
): Promise<string> {
  const owner = ownerName(node, await panelMark(db.read))
  const foreign = decideOwner(await backups.owners(repository, signal), owner)
  if (foreign !== null) throw new BackupFault('foreign', `copies of ${foreign} are there`)
  return owner
}

/** The same in every copy of the panel's database, whatever was renamed, restored or undone since. */
async function panelMark(db: Services['db']['read']): Promise<string> {
  const [row] = await db.values<[number]>(sql`select applied_at from migrations order by name limit 1`)
  const hash = sha256(`copias\0${row?.[0] ?? 0}`).slice(0, 8)
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
