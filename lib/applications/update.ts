import { and, eq } from 'drizzle-orm'
import { applications } from '../../schema/tables.ts'
import type { Services, WriteCtx } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { ulid } from '../store/ids.ts'
import type { Query } from '../store/reading.ts'
import { requireDriver } from '../work/driver.ts'
import { type Job, type NewJob, queueJob } from '../work/jobs.ts'
import type { JobKind } from '../work/kind.ts'
import type { WorkView } from '../work/shapes.ts'
import { begunView } from '../work/view.ts'
import { type Application, type ApplicationFacts, addressOf, placeOf, requireSite } from './decide.ts'
import { selectApplications } from './facts.ts'
import { updateView } from './view.ts'

const UPDATE_KIND = 'aplicacion.actualizar'

type Known = ApplicationFacts & { application: Application }

/** Queues the work that brings an application to its newest version; it is `actualizando` until that has ended. */
export function queueUpdate(
  ctx: WriteCtx,
  { site, client, application }: Known,
): { queries: Query[]; work: WorkView } {
  const update = ulid(ctx.now(), ctx.random)
  const id = `job_${update}`
  const job: NewJob = {
    id,
    kind: UPDATE_KIND,
    node: client.node,
    subject: `aplicacion:${site.id}`,
    target: site.domain,
    client: client.name,
    payload: { installation: application.installation, update },
  }
  const busy = ctx.tx
    .update(applications)
    .set({ state: 'actualizando' })
    .where(and(eq(applications.siteId, site.id), eq(applications.state, 'activa')))
  return { queries: [busy, queueJob(ctx, job)], work: begunView({ id, kind: UPDATE_KIND }) }
}

/** Brings an application to its newest version, or leaves it as it was. What failed is asked for anew by its owner. */
export const updateApplicationJob: JobKind = {
  kind: UPDATE_KIND,
  caged: true,
  refuses: true,
  async run(services, job, step) {
    const known = await knownOf(services, job)
    const driver = requireDriver(services)
    if (!driver.applications) throw new AppError('aplicacion_no_disponible')
    const { site, application } = known
    const wanted = { id: String(job.payload.update), url: addressOf(site), language: application.language }
    // Programs that changed are kept compiled.
    const emptied = () => driver.emptyPages({ siteId: site.id, clientId: site.clientId }, step)
    const { version } = await driver.applications.update(placeOf(known), wanted, step).finally(emptied)
    job.answers(updateView(application, version))
    return async (tx) => {
      tx.later(tx.update(applications).set({ state: 'activa', version }).where(isOpen(job)))
    }
  },
  async ended(tx, job) {
    tx.later(tx.update(applications).set({ state: 'activa' }).where(isOpen(job)))
  },
}

/** The application that this work is of, while it is not ended. */
const isOpen = ({ payload }: Job) =>
  and(eq(applications.installation, String(payload.installation)), eq(applications.state, 'actualizando'))

async function knownOf({ db, config }: Services, job: Job): Promise<Known> {
  const found = await selectApplications(db.read, isOpen(job)).get()
  if (!found?.application) throw new AppError('aplicacion_no_existe', {}, { status: 409 })
  return { ...requireSite(found, config.node), application: found.application }
}
