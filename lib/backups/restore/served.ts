import { and, eq, inArray } from 'drizzle-orm'
import { jobs } from '../../../schema/tables.ts'
import { clientSubject } from '../../clients/clients.ts'
import type { Client } from '../../clients/decide.ts'
import type { Services } from '../../endpoint/context.ts'
import { AppError } from '../../endpoint/errors.ts'
import { siteJob } from '../../sites/commands.ts'
import type { Site } from '../../sites/decide.ts'
import { enqueue } from '../../work/jobs.ts'
import type { RunningJob } from '../../work/running.ts'

const LONGEST_MS = 600_000
const LOOK_MS = 2_000
const PAUSE_MS = 100

type Serving = { services: Services; job: RunningJob; client: Client }

/** Has a site served as the database describes it. */
export const serveAnew = ({ services, client }: Serving, { domain }: Pick<Site, 'domain'>): Promise<void> =>
  services.db.write(async (tx) => enqueue(tx, services, siteJob(client, { kind: 'sitio.aplicar', domain })))

/**
 * Waits until that has been done, as work of the client's that goes on in its turn: a suspension must not wait for a
 * restore. 503 where it takes too long, for the restore to be tried again.
 */
export async function untilServed(
  { services, job, client }: Serving,
  { domain }: Pick<Site, 'domain'>,
): Promise<void> {
  const until = performance.now() + LONGEST_MS
  const isOpen = and(
    ...[eq(jobs.kind, 'sitio.aplicar'), eq(jobs.target, domain), eq(jobs.subject, clientSubject(client))],
    inArray(jobs.state, ['pendiente', 'en_curso']),
  )
  for (;;) {
    job.signal.throwIfAborted()
    services.work.wake()
    if (!(await services.db.read.select({ id: jobs.id }).from(jobs).where(isOpen).get())) return
    if (performance.now() > until) throw new AppError('no_disponible')
    const ended = await services.work.settle([clientSubject(client)], LOOK_MS, async () => true)
    // It waits to be tried again.
    if (ended === null) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
