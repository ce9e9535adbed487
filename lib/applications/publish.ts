import { and, eq, inArray } from 'drizzle-orm'
import { applications } from '../../schema/tables.ts'
import { hostsOf } from '../clients/serve.ts'
import type { Services, WriteCtx } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import type { Step } from '../endpoint/node-port.ts'
import type { Tx } from '../store/database.ts'
import { ulid } from '../store/ids.ts'
import type { Query } from '../store/reading.ts'
import { requireDriver } from '../work/driver.ts'
import { type Job, type NewJob, queueJob } from '../work/jobs.ts'
import type { JobKind } from '../work/kind.ts'
import type { WorkView } from '../work/shapes.ts'
import { begunView } from '../work/view.ts'
import { type Application, type ApplicationFacts, addressOf, placeOf, requireSite } from './decide.ts'
import type { Publishing } from './decide-copies.ts'
import { selectApplications } from './facts.ts'
import { requireApplications } from './job.ts'
import { copyView } from './view.ts'

const PUBLISH_KIND = 'aplicacion.publicar'
const TAKE_BACK_KIND = 'aplicacion.deshacer'

type Known = ApplicationFacts & { application: Application }

/** Queues the work that publishes a clone; both are `actualizando` until that has ended. */
export function queuePublication(
  ctx: WriteCtx,
  { clone, original }: Publishing,
  asked: { files: boolean; tables: string[] },
) {
  const payload = { ...asked, clone: clone.site.id, original: original.site.id }
  return queueChange(ctx, original, { kind: PUBLISH_KIND, payload, busy: [clone.site.id, original.site.id] })
}

/** Queues the work that puts back what the last publication replaced. */
export const queueTakingBack = (ctx: WriteCtx, known: Omit<Known, 'original'>) =>
  queueChange(ctx, known, {
    kind: TAKE_BACK_KIND,
    payload: { original: known.site.id, publication: known.application.restorePoint },
    busy: [known.site.id],
  })

type Change = { kind: string; payload: Record<string, unknown>; busy: number[] }

function queueChange(
  ctx: WriteCtx,
  { site, client }: Omit<Known, 'original'>,
  { kind, payload, busy }: Change,
): { queries: Query[]; work: WorkView } {
  const number = ulid(ctx.now(), ctx.random)
  const id = `job_${number}`
  const job: NewJob = {
    id,
    kind,
    node: client.node,
    subject: `aplicacion:${site.id}`,
    target: site.domain,
    client: client.name,
    payload: { publication: number, ...payload },
  }
  const marked = ctx.tx
    .update(applications)
    .set({ state: 'actualizando' })
    .where(and(inArray(applications.siteId, busy), eq(applications.state, 'activa')))
  return { queries: [marked, queueJob(ctx, job)], work: begunView({ id, kind }) }
}

/** Publishes a clone into the site that it was copied from, or leaves that as it was. */
export const publishApplicationJob: JobKind = {
  kind: PUBLISH_KIND,
  caged: true,
  refuses: true,
  async run(services, job, step) {
    const [clone, original] = await Promise.all([
      knownOf(services, job.payload.clone),
      knownOf(services, job.payload.original),
    ])
    const node = requireApplications(services)
    const id = String(job.payload.publication)
    const wanted = {
      id,
      source: placeOf(clone),
      hosts: await hostsOf(services.db.read, clone.site.id),
      url: addressOf(original.site),
      files: job.payload.files === true,
      tables: tablesOf(job),
      former: original.application.restorePoint,
    }
    const work = () => node.publish(placeOf(original), wanted, step)
    await changing(services, { known: original, step }, work)
    job.answers(copyView({ from: clone.site.domain, to: original.site.domain }))
    return async (tx) => endWith(tx, job, id)
  },
  async ended(tx, job) {
    tx.later(tx.update(applications).set({ state: 'activa' }).where(isBusy(job)))
  },
}

/** Puts back what the last publication replaced. */
export const takeBackJob: JobKind = {
  kind: TAKE_BACK_KIND,
  caged: true,
  refuses: true,
  async run(services, job, step) {
    const known = await knownOf(services, job.payload.original)
    const node = requireApplications(services)
    const wanted = { id: String(job.payload.publication), url: addressOf(known.site) }
    await changing(services, { known, step }, () => node.takeBack(placeOf(known), wanted, step))
    return async (tx) => endWith(tx, job, null)
  },
  async ended(tx, job) {
    tx.later(tx.update(applications).set({ state: 'activa' }).where(isBusy(job)))
  },
}

/** Cached pages and compiled programs are of the time before. */
async function changing(
  services: Services,
  { known, step }: { known: Known; step: Step },
  work: () => Promise<void>,
): Promise<void> {
  const { site } = known
  const empty = () => requireDriver(services).emptyPages({ siteId: site.id, clientId: site.clientId }, step)
  await work().finally(empty)
}

function endWith(tx: Tx, job: Job, restorePoint: string | null): void {
  const own = and(isBusy(job), eq(applications.siteId, Number(job.payload.original)))
  tx.later(
    tx.update(applications).set({ restorePoint }).where(own),
    tx.update(applications).set({ state: 'activa' }).where(isBusy(job)),
  )
}

const isBusy = ({ payload }: Job) =>
  and(
    inArray(applications.siteId, [Number(payload.original), Number(payload.clone ?? -1)]),
    eq(applications.state, 'actualizando'),
  )

/** Written by `queuePublication` alone. */
const tablesOf = ({ payload }: Job) =>
  Array.isArray(payload.tables) ? payload.tables.map((table) => String(table)) : []

async function knownOf({ db, config }: Services, site: unknown): Promise<Known> {
  const busy = and(eq(applications.siteId, Number(site)), eq(applications.state, 'actualizando'))
  const found = await selectApplications(db.read, busy).get()
  if (!found?.application) throw new AppError('aplicacion_no_existe', {}, { status: 409 })
  return { ...requireSite(found, config.node), application: found.application }
}
