import { applications } from '../../schema/tables.ts'
import { queueNewDatabase } from '../databases/commands.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import type { ApplicationKind } from '../endpoint/ports/applications.ts'
import { ulid } from '../store/ids.ts'
import type { Query } from '../store/reading.ts'
import { type NewJob, queueJob } from '../work/jobs.ts'
import type { ApplicationFacts } from './decide.ts'

export const INSTALL_KIND = 'aplicacion.instalar'

export type AskedApplication = {
  kind: ApplicationKind
  title: string
  email: string
  language: string
}
type Decided = Pick<ApplicationFacts, 'site' | 'client'> & { database: string; scheduled: boolean }

/** The work on a site's application; one after another. */
const applicationJob = (kind: string, { site, client }: Pick<Decided, 'site' | 'client'>): NewJob => ({
  kind,
  node: client.node,
  subject: `aplicacion:${site.id}`,
  target: site.domain,
  client: client.name,
  cancellable: true,
})

/** Writes the application with its database, and queues the work that installs it. */
export function queueInstallation(
  ctx: WriteCtx,
  decided: Decided,
  asked: AskedApplication,
): { queries: Query[]; job: NewJob } {
  const { site, client, database, scheduled } = decided
  const { kind, language, title, email } = asked
  const installation = ulid(ctx.now(), ctx.random)
  const job: NewJob = {
    ...applicationJob(INSTALL_KIND, decided),
    payload: { installation, client: client.id, database, title, email, scheduled },
  }
  const row = { siteId: site.id, clientId: client.id, kind, language, installation, database }
  const queries = [
    ...queueNewDatabase(ctx, client, database),
    ctx.tx.insert(applications).values({ ...row, state: 'instalando', createdAt: ctx.now() }),
    queueJob(ctx, job),
  ]
  return { queries, job }
}
