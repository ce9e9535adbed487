import { eq } from 'drizzle-orm'
import type { WantedCopy } from '../../../../lib/backups/recover.ts'
import { BackupFault, type BackupFaultKind, type Repository } from '../../../../lib/endpoint/ports/backups.ts'
import type { KeyRing } from '../../../../lib/secrets/keys.ts'
import { repositoryPlace } from '../../../../lib/secrets/sealed.ts'
import { Secret } from '../../../../lib/secrets/secret.ts'
import type { Database } from '../../../../lib/store/database.ts'
import { rootMessage } from '../../../../lib/text/root-message.ts'
import { backupRepositories } from '../../../../schema/tables.ts'
import { runRestic, snapshotsIn } from '../restic.ts'
import type { Places } from '../target.ts'

/** What was found in a client's repository: the ids of its snapshots, and why they cannot be relied on. */
type Seen = { ids: string[]; fault: string | null }
type Means = { keys: KeyRing; places: Places; repository: Pick<Repository, 'destination'> }

const LOST =
  'its repository has lost or changed something, maybe of older copies alone; what does not read back comes from an older copy'
const WORDS: Partial<Record<BackupFaultKind, string>> = {
  missing: 'its repository is not there',
  password: 'its repository is not opened by its key',
  damaged: LOST,
}

/** What of a client cannot be restored, or not for sure, by what is in its repository; null where all of it can. */
export function decideMissing(wanted: WantedCopy[], { ids, fault }: Seen): string | null {
  const client = wanted[0]?.client ?? ''
  const lost = wanted
    .filter(({ snapshots }) => snapshots.some((one) => !ids.some((id) => id.startsWith(one))))
    .map(({ name }) => name)
  if (lost.length === 0) return fault === null ? null : `${client}: ${fault}`
  return `${client}: ${fault ?? 'copies are not in its repository'} (${lost.join(', ')})`
}

/**
 * Looks into the repository of each client whether it has what would be restored, and whether restic finds it whole.
 * The content itself is not read.
 */
export async function missingCopies(
  db: Pick<Database, 'read'>,
  means: Means,
  wanted: WantedCopy[],
): Promise<string[]> {
  const missing: string[] = []
  for (const [clientId, own] of Map.groupBy(wanted, (one) => one.clientId)) {
    const its = eq(backupRepositories.clientId, clientId)
    const row = await db.read.select().from(backupRepositories).where(its).get()
    const seen = row ? await look(means, row) : { ids: [], fault: WORDS.missing ?? null }
    const told = decideMissing(own, seen)
    if (told !== null) missing.push(told)
  }
  return missing
}

async function look({ keys, places, repository }: Means, row: { name: string; key: string }): Promise<Seen> {
  const { signal } = new AbortController()
  const ids: string[] = []
  try {
    const key = new Secret(await keys.open(repositoryPlace(row.name), row.key))
    const own = { ...repository, name: row.name, key }
    ids.push(...(await snapshotsIn(places, own, signal)).map(({ id }) => id))
    const isWhole = await runRestic(places, own, { argv: ['check', '--no-lock'], signal }).then(
      () => true,
      () => false,
    )
    return { ids, fault: isWhole ? null : LOST }
  } catch (error) {
    const known = error instanceof BackupFault ? WORDS[error.kind] : undefined
    return { ids, fault: known ?? rootMessage(error) }
  }
}
