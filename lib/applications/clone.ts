import { eq } from 'drizzle-orm'
import { applications, sites } from '../../schema/tables.ts'
import { hostsOf } from '../clients/serve.ts'
import { queueNewDatabase } from '../databases/commands.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { queueNewSite } from '../sites/commands.ts'
import { ulid } from '../store/ids.ts'
import type { Query } from '../store/reading.ts'
import { rootMessage } from '../text/root-message.ts'
import { type NewJob, queueJob } from '../work/jobs.ts'
import type { JobKind } from '../work/kind.ts'
import type { WorkView } from '../work/shapes.ts'
import { begunView } from '../work/view.ts'
import { addressOf, placeOf, requireSite } from './decide.ts'
import type { NewClone } from './decide-copies.ts'
import { selectApplications } from './facts.ts'
import { ensureDatabase, isInstalling, knownOf, requireApplications, takeBack } from './job.ts'
import { copyView } from './view.ts'

const CLONE_KIND = 'aplicacion.clonar'

/** Writes the clone with its site and its database, and queues the work that copies into them. */
export function queueClone(
  ctx: WriteCtx,
  { source, made, siteId, database }: NewClone,
  domain: string,
): { queries: Query[]; work: WorkView } {
  const { site, client, application } = source
  const installation = ulid(ctx.now(), ctx.random)
  const id = `job_${installation}`
  const job: NewJob = {
    id,
    kind: CLONE_KIND,
    node: client.node,
    // Not while what it copies is changed.
    subject: `aplicacion:${site.id}`,
    target: `${domain} ${installation}`,
    client: client.name,
    cancellable: true,
    payload: { installation, client: client.id, database },
  }
  const { kind, language } = application
  const row = { siteId, clientId: client.id, kind, language, installation, database, cloneOf: site.id }
  const queries = [
    ...(made ? queueNewSite(ctx, client, made) : []),
    ...queueNewDatabase(ctx, client, database),
    ctx.tx.insert(applications).values({ ...row, state: 'instalando', createdAt: ctx.now() }),
    queueJob(ctx, job),
  ]
  return { queries, work: begunView({ id, kind: CLONE_KIND }) }
}

/** Copies an application whole, or leaves nothing of the copy but its empty site. */
export const cloneApplicationJob: JobKind = {
  kind: CLONE_KIND,
  caged: true,
  cancellable: true,
  refuses: true,
  tries: 1,
  async run(services, job, step) {
    const known = await knownOf(services, job)
    const node = requireApplications(services)
    const place = placeOf(known)
    const { db, config } = services
    const found = await selectApplications(db.read, eq(sites.id, known.application.cloneOf ?? -1)).get()
    if (!found?.application) throw new AppError('no_es_clon')
    const source = placeOf({ ...requireSite(found, config.node), application: found.application })
    const hosts = await hostsOf(db.read, found.site.id)
    const { installation: id, database } = known.application
    const wanted = { id, source, hosts, url: addressOf(known.site), database, signal: job.signal }
    let version: string
    try {
      await step('application.database', () => ensureDatabase(services, known, { step, job }))
      ;({ version } = await node.clone(place, wanted, step))
    } catch (error) {
      await node.undo(place, id).catch((reason) => {
        services.log('warn', 'installation not cleared away', { job: job.id, reason: rootMessage(reason) })
      })
      throw error
    }
    job.answers(copyView({ from: found.site.domain, to: known.site.domain }))
    return async (tx) => {
      tx.later(tx.update(applications).set({ state: 'activa', version }).where(isInstalling(job)))
    }
  },
  failed: async (tx, services, job) => takeBack(tx, services, job),
  cancelled: async (tx, services, job) => takeBack(tx, services, job),
}
