import { and, count, eq, sql } from 'drizzle-orm'
import { jobs, sites } from '../../schema/tables.ts'
import type { Client } from '../clients/decide.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import type { Site } from '../sites/decide.ts'
import type { Db } from '../store/database.ts'
import { ulid } from '../store/ids.ts'
import type { Query } from '../store/reading.ts'
import { requireDriver } from '../work/driver.ts'
import { type NewJob, queueJob } from '../work/jobs.ts'
import { type JobKind, nothingMore } from '../work/kind.ts'
import { decideFiles } from './decide.ts'
import { selectFiles } from './facts.ts'
import type { AskedOperation } from './operation-shapes.ts'
import { withNumbers } from './room.ts'

/** Operations that take more room; all others work on a full disk too. */
export const GROWING: readonly string[] = ['carpeta', 'copiar', 'comprimir', 'extraer']

/** What their subjects begin with; the client's number follows. */
const SUBJECT = 'archivos:'

/** How many operations wait that were asked for on sites of the client who has this one. */
export async function waitingWith(tx: Db, domain: string): Promise<number> {
  const owner = tx
    .select({ subject: sql`${SUBJECT} || ${sites.clientId}` })
    .from(sites)
    .where(eq(sites.domain, domain))
  const theirs = and(eq(jobs.subject, sql`(${owner})`), eq(jobs.state, 'pendiente'))
  const [row] = await tx.select({ many: count() }).from(jobs).where(theirs)
  return row?.many ?? 0
}

/** Does what was asked for with files of a site. */
export const operateFilesJob: JobKind = {
  kind: 'archivos.operar',
  caged: true,
  cancellable: true,
  refuses: true,
  forgets: true,
  async run(services, job, step) {
    const asked = job.payload.operation as AskedOperation // Written by `queueOperation` alone.
    const [facts] = await selectFiles(services.db.read, eq(sites.id, Number(job.payload.site)))
    const grows = GROWING.includes(asked.kind)
    const found = decideFiles(facts, { here: services.config.node, grows })
    const { site, client, room, inodes } = found
    const driver = requireDriver(services)
    const { files } = driver
    if (!files) throw new AppError('no_disponible')
    const at = { clientId: client.id, siteId: site.id, domain: site.domain, path: '/' }
    const operation = {
      ...asked,
      // Without days for a bin, what would go there is deleted.
      ...(asked.kind === 'papelera' && services.config.trashDays === 0 ? { kind: 'borrar' as const } : {}),
      existing: existingOf(asked),
      ...{ id: job.id, again: job.attempts > 1, room, inodes, signal: job.signal },
    }
    await step('files.operate', () => withNumbers(driver, found, files.operate(at, operation)))
    return nothingMore
  },
}

function existingOf({ existing }: AskedOperation) {
  if (!existing) return null
  const { otherwise, replace, skip } = existing
  return { otherwise, replace: new Set(replace), skip: new Set(skip) }
}

/** Queues an operation. Its target is an id of its own, by which it is found again. */
export function queueOperation(
  ctx: WriteCtx,
  { site, client }: { site: Site; client: Client },
  operation: AskedOperation,
): { query: Query; job: NewJob } {
  const target = `${site.domain} ${ulid(ctx.now(), ctx.random)}`
  const job: NewJob = {
    kind: operateFilesJob.kind,
    node: client.node,
    // One at a time for a client, independent of the client's other jobs.
    subject: `${SUBJECT}${client.id}`,
    target,
    client: client.name,
    cancellable: true,
    payload: { site: site.id, operation },
  }
  return { query: queueJob(ctx, job), job }
}
