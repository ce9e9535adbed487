import { and, eq, ne } from 'drizzle-orm'
import { sites } from '../../../schema/tables.ts'
import type { Client } from '../../clients/decide.ts'
import type { Services } from '../../endpoint/context.ts'
import type { Certificate } from '../../endpoint/node-port.ts'
import { clientsPlan } from '../../plans/room.ts'
import type { Tx } from '../../store/database.ts'
import { rootMessage } from '../../text/root-message.ts'
import { storedFault } from '../../text/stored-faults.ts'
import { requireDriver } from '../../work/driver.ts'
import { enqueue } from '../../work/jobs.ts'
import { type JobKind, nothingMore } from '../../work/kind.ts'
import { siteJob } from '../commands.ts'
import type { Site } from '../decide.ts'
import { namesOf } from '../names.ts'
import { CertificateError } from './failure.ts'
import { certificateNames, LOOK_AGAIN_MS, nextAttempt, renewAt } from './schedule.ts'
import { CERTIFICATE_JOB, siteToCertify } from './site.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/**
 * Asks for a site's certificate and records the outcome. A refusal is an outcome, not a failure of the job: the
 * certificate's own schedule decides when to ask again, since the retries of jobs would exceed the authority's
 * limits. The installed certificate is served in any case.
 */
export const issueCertificate: JobKind = {
  kind: CERTIFICATE_JOB,
  slow: true,
  async run(services, job, step) {
    const driver = requireDriver(services)
    const found = await siteToCertify(services.db.read, job.target)
    if (!found) return nothingMore
    const { site, client } = found
    if (site.state === 'preparando') return postponed(services, site, MINUTE_MS)
    const plan = await clientsPlan(services.db.read, client.id)
    const included = plan === null || plan.functions.includes('https')
    if (!driver.issuesCertificates || !included) return postponed(services, site, LOOK_AGAIN_MS)
    const names = certificateNames(site.domain, await namesOf(services.db.read, site.domain))
    const request = { siteId: site.id, domain: site.domain, names, renew: job.payload.renovar === true }
    try {
      return issued(services, found, { names, certificate: await driver.issueCertificate(request, step) })
    } catch (error) {
      if (!(error instanceof CertificateError)) throw error
      services.log('warn', 'certificate not issued', {
        site: site.domain,
        reason: error.message,
        ...(error.cause === undefined ? {} : { cause: rootMessage(error) }),
      })
      return refused(services, site, error)
    }
  },
  async failed(tx, services, job) {
    tx.later(
      tx
        .update(sites)
        .set({
          certificateError: storedFault({ codigo: 'certificado_no_instalado', id: job.id }),
          certificateNextAt: new Date(services.now().getTime() + HOUR_MS),
        })
        .where(and(eq(sites.domain, job.target), ne(sites.state, 'eliminando'))),
    )
  },
}

function issued(
  services: Services,
  { site, client }: { site: Site; client: Client },
  { names, certificate }: { names: string[]; certificate: Certificate },
) {
  return async (tx: Tx): Promise<void> => {
    const now = services.now()
    const renewal = renewAt(certificate.issuedAt, certificate.expiresAt)
    // As they are now, which may differ from when the authority was asked.
    const [present, wish] = await Promise.all([
      namesOf(tx, site.domain),
      tx.select({ httpsOnly: sites.httpsOnly }).from(sites).where(eq(sites.id, site.id)).get(),
    ])
    const current = certificateNames(site.domain, present)
    const missing = current.filter((name) => !certificate.names.includes(name))
    // A name that was added meanwhile is asked for at once; one that did not resolve to this node may do so tomorrow.
    const waitMs = missing.some((name) => !names.includes(name)) ? 0 : LOOK_AGAIN_MS
    const again = new Date(now.getTime() + waitMs)
    tx.later(
      tx
        .update(sites)
        .set({
          certificateState: 'activo',
          certificateIssuer: certificate.issuer,
          certificateExpiresAt: certificate.expiresAt,
          certificateNames: certificate.names,
          certificateError: null,
          certificateAttempts: 0,
          certificateNextAt: missing.length === 0 || renewal < again ? renewal : again,
        })
        .where(eq(sites.id, site.id)),
    )
    // The redirect to HTTPS had to wait for the certificate.
    if (wish?.httpsOnly)
      enqueue(tx, services, siteJob(client, { kind: 'sitio.aplicar', domain: site.domain }))
  }
}

function refused(services: Services, site: Site, error: CertificateError) {
  return async (tx: Tx): Promise<void> => {
    const now = services.now()
    const attempts = site.certificateAttempts + 1
    const { kind, retryAfter } = error
    const trusted = site.certificateIssuer !== null
    const valid = trusted && site.certificateExpiresAt !== null && site.certificateExpiresAt > now
    // A name that does not resolve to this node yet is waited for; that is no error.
    const without = kind === 'no_resuelve' ? ('pendiente' as const) : ('error' as const)
    tx.later(
      tx
        .update(sites)
        .set({
          certificateState: valid ? 'activo' : without,
          certificateError: storedFault(error.fault),
          certificateAttempts: attempts,
          certificateNextAt: nextAttempt({ kind, attempts, now, retryAfter, seed: site.id }),
        })
        .where(eq(sites.id, site.id)),
    )
  }
}

/** Nothing can be requested now: a site that waits for its first certificate keeps its self-signed one. */
function postponed(services: Services, site: Site, waitMs: number) {
  return async (tx: Tx): Promise<void> => {
    const waiting = site.certificateState === 'pendiente'
    tx.later(
      tx
        .update(sites)
        .set({
          certificateState: waiting ? 'autofirmado' : site.certificateState,
          certificateNextAt: new Date(services.now().getTime() + waitMs),
        })
        .where(eq(sites.id, site.id)),
    )
  }
}
