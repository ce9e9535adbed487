import { eq, sql } from 'drizzle-orm'
import { databases, sites } from '../../schema/tables.ts'
import { enqueueDatabases } from '../clients/databases.ts'
import type { Client } from '../clients/decide.ts'
import { desiredDatabases } from '../databases/job.ts'
import type { Services, WriteCtx } from '../endpoint/context.ts'
import { AppError, isRefusal } from '../endpoint/errors.ts'
import type { NodeDriver, Step } from '../endpoint/node-port.ts'
import type { DatabaseServer } from '../endpoint/ports/databases.ts'
import type { DatabaseLoad, DumpFile, Packing } from '../endpoint/ports/loads.ts'
import { giveUpAwaited } from '../sites/lost/awaited.ts'
import type { Tx } from '../store/database.ts'
import type { Query } from '../store/reading.ts'
import { requireDriver } from '../work/driver.ts'
import { type Job, type NewJob, queueJob } from '../work/jobs.ts'
import type { JobKind } from '../work/kind.ts'
import type { RunningJob } from '../work/running.ts'
import { decideLoad, type LoadFacts, requireSite } from './decide.ts'
import { selectLoad } from './facts.ts'

export const LOAD_KIND = 'base.cargar'

/** Loads a dump into a base. */
export const loadDatabaseJob: JobKind = {
  kind: LOAD_KIND,
  caged: true,
  cancellable: true,
  refuses: true,
  tries: 4,
  async run(services, job, step) {
    const { database, site } = job.payload
    const which = { base: eq(databases.id, Number(database)), site: eq(sites.id, Number(site ?? -1)) }
    const known = decideLoad(await selectLoad(services.db.read, which), services.config.node)
    const driver = requireDriver(services)
    const { databases: server } = driver
    if (!server) throw new AppError('bases_no_disponible')
    const load: DatabaseLoad = {
      id: job.id,
      base: { databaseId: known.database.id, clientId: known.client.id, name: known.database.name },
      packing: job.payload.packing as Packing, // Written by `queueLoad` alone.
      open: () => dumpOf(driver, known, job),
      room: known.room,
      reached: (done, total) => job.reached({ done, total, unit: 'bytes' }),
      signal: job.signal,
    }
    await loadAndOpen(services, { server, load }, step)
    job.answers({ base: known.database.name })
    return async (tx) => endLoaded(tx, services, { job, client: known.client, base: known.database.name })
  },
  ended: endLoading,
}

/** However it ended, those who have rights on the base have them again, if not at once then by a job of its own. */
export async function loadAndOpen(
  services: Services,
  { server, load }: { server: DatabaseServer; load: DatabaseLoad },
  step: Step,
): Promise<void> {
  const { db } = services
  const open = async () => {
    const wanted = await desiredDatabases(db.read, load.base.clientId)
    if (wanted) await server.sync(wanted, step)
  }
  try {
    await server.load(load, step)
  } catch (error) {
    // A server that a full disk has ended must not hide that the disk is full.
    await open().catch(() => db.write((tx) => enqueueDatabases(tx, services, load.base)))
    throw error
  }
  await open()
}

/** A base that was loaded, or could not be, can be used again. */
export async function endLoading(tx: Tx, { payload }: Pick<Job, 'payload'>): Promise<void> {
  if (payload.database === null) return
  const loaded = eq(databases.id, Number(payload.database))
  tx.later(tx.update(databases).set({ loading: false }).where(loaded))
}

type Loaded = { job: Pick<Job, 'payload'>; client: Client; base: string }

/** The same of one that was loaded: what a lost node held of it is awaited no more, nor by the client's sites. */
export async function endLoaded(tx: Tx, services: Services, { job, client, base }: Loaded): Promise<void> {
  await endLoading(tx, job)
  await giveUpAwaited(tx, services, { client, part: { site: null, base } })
}

/** A client's file, opened within its confinement. */
async function dumpOf({ files }: NodeDriver, known: LoadFacts, { payload }: RunningJob): Promise<DumpFile> {
  const site = requireSite(known.site)
  if (!files) throw new AppError('no_disponible')
  const at = { clientId: site.clientId, siteId: site.id, domain: site.domain, path: String(payload.path) }
  try {
    const { bytes, content, close } = await files.open(at)
    return { bytes, content: content(0, bytes), close }
  } catch (error) {
    if (!isRefusal(error, 'archivo_no_existe')) throw error
    throw new AppError('archivo_no_existe', {}, { status: 409 })
  }
}

type Dump = { packing: Packing; site: number; path: string }

/** Queues the loading of a dump; the base is `cargando` until that has ended. */
export function queueLoad(
  ctx: WriteCtx,
  { database, client }: Pick<LoadFacts, 'database' | 'client'>,
  dump: Dump,
): { queries: Query[]; job: NewJob } {
  const job: NewJob = {
    kind: loadDatabaseJob.kind,
    node: client.node,
    // One at a time for a client, beside its other work.
    subject: `cargas:${client.id}`,
    target: database.name,
    client: client.name,
    payload: { database: database.id, ...dump },
    cancellable: true,
  }
  const loading = ctx.tx.update(databases).set({ loading: sql`1` }).where(eq(databases.id, database.id))
  return { queries: [loading, queueJob(ctx, job)], job }
}
