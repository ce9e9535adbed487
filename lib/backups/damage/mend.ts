import type { Client } from '../../clients/decide.ts'
import type { Services } from '../../endpoint/context.ts'
import { BackupFault, type Backups, type Repository } from '../../endpoint/ports/backups.ts'
import type { RunningJob } from '../../work/running.ts'
import { damagedSince, noteDamage } from './note.ts'

type Mending = {
  services: Services
  job: Pick<RunningJob, 'id' | 'signal'>
  client: Client
  backups: Backups
  repository: Repository
  /** What is copied is about to be replaced: nothing reads the copy back before that. */
  reads?: true | undefined
}

/**
 * Has the copy that follows keep anew what the destination has lost, which it would count on otherwise; answers whether
 * anything is. Copies that are found to lack something are recorded as damaged.
 */
export async function mendLost(mending: Mending): Promise<boolean> {
  const { services, job, client, backups, repository, reads } = mending
  const isKnown = (await damagedSince(services.db.read, client)) !== null
  if (!isKnown || reads) {
    const { broken, packs } = await backups.findLost(repository, job.signal)
    if (broken?.length === 0) return false
    const reason = `${repository.name}: ${packs.slice(0, 10).join(', ')}`
    services.log('warn', 'copies have lost files', { client: client.name, job: job.id, reason })
    await noteDamage(services, client, { broken: broken ?? [], all: false })
  }
  await mend(mending)
  return true
}

async function mend({ services, job, client, backups, repository, reads }: Mending): Promise<void> {
  try {
    await backups.mend(repository, job.signal)
  } catch (error) {
    job.signal.throwIfAborted()
    // The copy tells it where it hinders that, too, and is read back at its end.
    if (reads || !(error instanceof BackupFault)) throw error
    services.log('warn', 'not mended', { client: client.name, job: job.id, reason: error.message })
  }
}
