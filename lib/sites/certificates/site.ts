import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { clients, jobs, sites } from '../../../schema/tables.ts'
import type { Client } from '../../clients/decide.ts'
import type { Services } from '../../endpoint/context.ts'
import type { Db, Tx } from '../../store/database.ts'
import { enqueue } from '../../work/jobs.ts'
import type { Site } from '../decide.ts'

export const CERTIFICATE_JOB = 'sitio.certificar'

/** How long the schedule leaves a site alone whose job is queued; the job's end sets the true time. */
const CLAIMED_MS = 3_600_000

/** Apart from the client's other work: an authority takes its time, and a site must not wait for that. */
export const certificateSubject = (site: { id: number }) => `${SUBJECT}${site.id}`
const SUBJECT = 'certificado:'

/** A site that can have a certificate, with its client; null when either is gone or going. */
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
 * Queues the work that asks for a site's certificate; `renew` asks the authority even where the present
 * one would do. What is in use stays `activo` meanwhile.
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

/** Whether a certificate of the site of this domain is being asked for already. */
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
