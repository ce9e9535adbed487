import { applications } from '../../schema/tables.ts'
import { queueNewDatabase } from '../databases/commands.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import type { ApplicationKind } from '../endpoint/ports/applications.ts'
import { ulid } from '../store/ids.ts'
import type { Query } from '../store/reading.ts'
import { type NewJob, queueJob } from '../work/jobs.ts'
import type { WorkView } from '../work/shapes.ts'
import { begunView } from '../work/view.ts'
import { type ApplicationFacts, NO_DATABASE } from './decide.ts'

export const INSTALL_KIND = 'aplicacion.instalar'

export type AskedApplication = {
  kind: ApplicationKind
  title: string
  email: string
  language: string
}
type Decided = Pick<ApplicationFacts, 'site' | 'client'> & { database: string; scheduled: boolean }

/** Writes the application with its database, and queues the work that installs it. */
export function queueInstallation(
  ctx: WriteCtx,
  decided: Decided,
  asked: AskedApplication,
): { queries: Query[]; work: WorkView } {
  const { site, client, database, scheduled } = decided
  const { kind, language, title, email } = asked
  const installation = ulid(ctx.now(), ctx.random)
  const id = `job_${installation}`
  const job: NewJob = {
    id,
    kind: INSTALL_KIND,
    node: client.node,
    // One after another for a site.
    subject: `aplicacion:${site.id}`,
    target: `${site.domain} ${installation}`,
    client: client.name,
    cancellable: true,
    payload: { installation, client: client.id, database, title, email, scheduled },
  }
  const row = { siteId: site.id, clientId: client.id, kind, language, installation, database }
  const queries = [
    ...(database === NO_DATABASE ? [] : queueNewDatabase(ctx, client, database)),
    ctx.tx.insert(applications).values({ ...row, state: 'instalando', createdAt: ctx.now() }),
    queueJob(ctx, job),
  ]
  return { queries, work: begunView({ id, kind: INSTALL_KIND }) }
}
