import { and, eq, sql } from 'drizzle-orm'
import { databases, jobs, sites } from '../../schema/tables.ts'
import { clientSubject } from '../clients/clients.ts'
import { requireChangeable } from '../clients/decide.ts'
import type { Services, WriteCtx } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import type { Step } from '../endpoint/node-port.ts'
import type { BinEntry, BinPort, SitePlace } from '../endpoint/ports/bin.ts'
import { selectFiles } from '../files/facts.ts'
import { decideLoad } from '../loads/decide.ts'
import { selectLoad } from '../loads/facts.ts'
import { endLoaded, endLoading, loadAndOpen } from '../loads/job.ts'
import type { Tx } from '../store/database.ts'
import type { Query } from '../store/reading.ts'
import { requireDriver } from '../work/driver.ts'
import { type Job, type NewJob, queueJob } from '../work/jobs.ts'
import { type JobKind, nothingMore } from '../work/kind.ts'
import type { RunningJob } from '../work/running.ts'
import type { Restore } from './decide.ts'
import { isStillOwned, PURGE_KIND, RESTORE_KIND, requireBin } from './facts.ts'
import { bringSettings } from './settings.ts'
import { restoredView } from './view.ts'

type Running = { services: Services; job: RunningJob; step: Step; bin: BinPort }

/** Gives a site its deleted files and settings, loads a deleted database's dump, or puts an entry apart. */
export const restoreDeletedJob: JobKind = {
  kind: RESTORE_KIND,
  caged: true,
  cancellable: true,
  refuses: true,
  tries: 4,
  async run(services, job, step) {
    job.signal.throwIfAborted()
    const running = { services, job, step, bin: requireBin(requireDriver(services).bin) }
    if (job.payload.site !== null) return intoSite(running)
    if (job.payload.database !== null) return intoDatabase(running)
    await besides(running)
    return nothingMore
  },
  ended: endLoading,
}

/** Removes an entry for good. */
export const purgeDeletedJob: JobKind = {
  kind: PURGE_KIND,
  slow: true,
  async run(services, job, step) {
    const bin = requireBin(requireDriver(services).bin)
    await step('bin.purge', async () => {
      if (find(bin, job) === null) return
      await bin.purge({ id: job.target })
      // What still fills it keeps it on the disk for the next purge, and nobody finds it any more.
      if (find(bin, job) !== null) throw new Error('it is being restored')
    })
    return nothingMore
  },
}

/** The entry of a job; null once it has left the bin, also where its id was given again. */
function find(bin: BinPort, { target, payload }: Pick<Job, 'target' | 'payload'>): BinEntry | null {
  const entry = bin.find(target)
  return entry?.deletedAt.getTime() === payload.deletedAt ? entry : null
}

/** The entry, or null where an earlier run of this job has taken it out of the bin. */
function entryOf({ bin, job }: Running): BinEntry | null {
  const entry = find(bin, job)
  if (entry === null && job.payload.taking !== true) throw gone()
  return entry
}

/** Somebody else removed it while the work waited. */
const gone = () => new AppError('entrada_no_existe', {}, { status: 409 })

/**
 * Notes whether this job takes its entry out of the bin. Where it was killed then, a missing entry is one that it has
 * taken; otherwise somebody else has removed it.
 */
async function noteTaking({ services, job }: Running, taking: boolean): Promise<void> {
  const payload = { ...job.payload, taking }
  await services.db.write(async (tx) => {
    tx.later(
      tx
        .update(jobs)
        .set({ payload })
        .where(and(eq(jobs.id, job.id), eq(jobs.fence, job.fence))),
    )
  })
  job.payload = payload
}

/** Takes the entry out of the bin, to the site or apart. */
async function takeOut(running: Running, to?: SitePlace, from?: number): Promise<void> {
  const { services, step, bin } = running
  const entry = entryOf(running)
  await step('bin.restore', async () => {
    if (entry === null) return
    const endsProcesses = await isStillOwned(services.db.read, entry)
    const begun = running.job.payload.taking === true
    await noteTaking(running, true)
    try {
      const place = await bin.restore(entry.id, to, { endsProcesses, from })
      // The rest of a whole client's stays in the bin, also where an earlier run has taken this site.
      if (place === null && !(begun && from !== undefined)) throw gone()
    } catch (failure) {
      await noteTaking(running, false)
      throw failure
    }
  })
}

async function intoSite(running: Running): Promise<(tx: Tx) => Promise<void>> {
  const { services, job, step } = running
  const [facts] = await selectFiles(services.db.read, eq(sites.id, Number(job.payload.site)))
  if (!facts || facts.site.state === 'eliminando') throw new AppError('sitio_no_existe', {}, { status: 409 })
  const { site } = facts
  const client = requireChangeable(facts.client, services.config.node)
  const place = { clientId: client.id, siteId: site.id }
  const from = typeof job.payload.from === 'number' ? job.payload.from : undefined
  const { leftOut, end } = await bringSettings(running, entryOf(running), { site, client, from })
  await takeOut(running, place, from)
  await requireDriver(services).emptyPages(place, step)
  job.answers(restoredView({ site: site.domain }, leftOut))
  return end
}

async function intoDatabase(running: Running): Promise<(tx: Tx) => Promise<void>> {
  const { services, job, step, bin } = running
  const which = { base: eq(databases.id, Number(job.payload.database)), site: sql`0` }
  const { database, client, room } = decideLoad(
    await selectLoad(services.db.read, which),
    services.config.node,
  )
  const { databases: server } = requireDriver(services)
  if (!server) throw new AppError('bases_no_disponible')
  const entry = entryOf(running)
  if (entry !== null) {
    const load = {
      id: job.id,
      base: { databaseId: database.id, clientId: client.id, name: database.name },
      packing: 'gzip' as const,
      open: () => bin.openDump(entry.id),
      room,
      reached: (done: number, total: number) => job.reached({ done, total, unit: 'bytes' }),
      signal: job.signal,
    }
    await loadAndOpen(services, { server, load }, step)
    await step('bin.forget', async () => {
      await noteTaking(running, true)
      await bin.purge({ id: entry.id })
    })
  }
  job.answers(restoredView({ base: database.name }))
  return (tx) => endLoaded(tx, services, { job, client, base: database.name })
}

async function besides(running: Running): Promise<void> {
  const { job, bin } = running
  await takeOut(running)
  const left = { id: job.target, deletedAt: new Date(Number(job.payload.deletedAt)) }
  job.answers(restoredView({ path: bin.besides(left) }))
}

/** Queues the restoring of an entry. What a site gets waits for the client's other work; a dump is a load. */
export function queueRestore(ctx: WriteCtx, entry: BinEntry, to: Restore): { queries: Query[]; job: NewJob } {
  const job: NewJob = {
    ...workOn(ctx, entry),
    kind: restoreDeletedJob.kind,
    payload: {
      deletedAt: entry.deletedAt.getTime(),
      site: to.kind === 'site' ? to.site.id : null,
      ...(to.kind === 'site' && to.from !== undefined ? { from: to.from } : {}),
      database: to.kind === 'database' ? to.database.id : null,
    },
    cancellable: true,
    ...(to.kind === 'apart' ? {} : { client: to.client.name }),
    ...(to.kind === 'site' ? { subject: clientSubject(to.client) } : {}),
    ...(to.kind === 'database' ? { subject: `cargas:${to.client.id}` } : {}),
  }
  const loading =
    to.kind === 'database'
      ? [ctx.tx.update(databases).set({ loading: sql`1` }).where(eq(databases.id, to.database.id))]
      : []
  return { queries: [...loading, queueJob(ctx, job)], job }
}

/** Queues the removal of an entry for good. */
export const queuePurge = (ctx: WriteCtx, entry: BinEntry): Query =>
  queueJob(ctx, {
    ...workOn(ctx, entry),
    kind: purgeDeletedJob.kind,
    payload: { deletedAt: entry.deletedAt.getTime() },
  })

const workOn = ({ config }: Pick<WriteCtx, 'config'>, { id }: BinEntry) => ({
  node: config.node,
  subject: `papelera:${id}`,
  target: id,
})
