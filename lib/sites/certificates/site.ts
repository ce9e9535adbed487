import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { clients, jobs, sites } from '../../../schema/tables.ts'
import type { Client } from '../../clients/decide.ts'
import type { Services } from '../../endpoint/context.ts'
import type { Db, Tx } from '../../store/database.ts'
import { enqueue } from '../../work/jobs.ts'
import type { Site } from '../decide.ts'

export const CERTIFICATE_JOB = 'sitio.certificar'

/** For how long the schedule skips a site whose job is queued; the end of the job sets the true time. */
const CLAIMED_MS = 3_600_000

/** A subject of its own, so that the client's other jobs do not wait for a slow authority. */
export const certificateSubject = (site: { id: number }) => `${SUBJECT}${site.id}`
const SUBJECT = 'certificado:'

/** A site that may have a certificate, with its client; null if either is gone or being deleted. */
export async function siteToCertify(db: Db, domain: string): Promise<{ site: Site; client: Client } | null> {
  const row = await db
    .select({ site: sites, client: clients })
    .from(sites)
    .innerJoin(clients, eq(clients.id, sites.clientId))
    .where(and(eq(sites.domain, domain), ne(sites.state, 'eliminando'), ne(clients.state, 'eliminando')))
    .get()
  return row ?? null
}

/**
 * Queues the request for a site's certificate; with `renew` even if the present one would do. A certificate in use
 * stays `activo` meanwhile.
 */
export function enqueueCertificate(
  tx: Tx,
  services: Pick<Services, 'now' | 'random'>,
  { site, client, renew }: { site: Site; client: Client; renew: boolean },
): void {
  enqueue(tx, services, {
    kind: CERTIFICATE_JOB,
    node: client.node,
    subject: certificateSubject(site),
    target: site.domain,
    client: client.name,
    payload: renew ? { renovar: true } : {},
  })
  tx.later(
    tx
      .update(sites)
      .set({
        certificateState: site.certificateState === 'activo' ? 'activo' : 'pendiente',
        certificateNextAt: new Date(services.now().getTime() + CLAIMED_MS),
      })
      .where(eq(sites.id, site.id)),
  )
}

/** Whether a certificate for this site is already being requested. */
export async function certificateUnderWay(db: Db, domain: string): Promise<boolean> {
  const subject = db
    .select({ subject: sql`${SUBJECT} || ${sites.id}` })
    .from(sites)
    .where(eq(sites.domain, domain))
  const row = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(inArray(jobs.subject, subject), inArray(jobs.state, ['pendiente', 'en_curso'])))
    .limit(1)
    .get()
  return row !== undefined
}
