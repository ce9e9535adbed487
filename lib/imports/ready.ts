import { clientSubject } from '../clients/clients.ts'
import { AppError } from '../endpoint/errors.ts'
import type { Db } from '../store/database.ts'
import type { Importing } from './importing.ts'

const LONGEST_MS = 600_000
const LOOK_MS = 2_000
const PAUSE_MS = 100

/**
 * Waits until the client's other work has made something: `look` tells true for made, false for failed. Null goes on
 * waiting.
 */
export async function ready(
  { services, client, job }: Pick<Importing, 'services' | 'client' | 'job'>,
  look: (db: Db) => Promise<boolean | null>,
): Promise<void> {
  const until = performance.now() + LONGEST_MS
  for (;;) {
    job.signal.throwIfAborted()
    const told = await look(services.db.read)
    if (told === true) return
    if (told === false || performance.now() > until) throw new AppError('no_disponible')
    services.work.wake()
    const ended = await services.work.settle([clientSubject(client)], LOOK_MS, async () => true)
    // Its work waits to be tried again.
    if (ended === null) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
