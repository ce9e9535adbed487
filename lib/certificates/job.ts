import { and, eq, ne } from 'drizzle-orm'
import { sites } from '../../schema/tables.ts'
import type { Client } from '../clients.ts'
import type { Services } from '../context.ts'
import type { Tx } from '../database.ts'
import { storedFault } from '../faults.ts'
import type { Certificate } from '../node.ts'
import { planOf } from '../plans.ts'
import { rootMessage } from '../root-message.ts'
import { namesOf, type Site } from '../sites.ts'
import { requireDriver } from '../worker/driver.ts'
import { type JobKind, nothingMore } from '../worker/kind.ts'
import { CertificateError } from './failure.ts'
import { certificateNames, nextAttempt, renewAt } from './schedule.ts'
import { CERTIFICATE_JOB, queueSite, siteToCertify } from './site.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/**
 * Asks for a site's certificate and records how that went. A refusal is an outcome, not a fault of the job:
 * when to ask again is the certificate's own schedule, since the general one would break the authority's
 * limits. What is installed goes on being served whatever happens here.
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
    const plan = await planOf(services.db.read, client)
    const included = plan === null || plan.functions.includes('https')
    if (!driver.issuesCertificates || !included) return postponed(services, site, DAY_MS)
    const names = certificateNames(site.domain, await namesOf(services.db.read, site.domain))
    const request = { siteId: site.id, domain: site.domain, names, renew: job.payload.renovar === true }
    try {
      return issued(services, found, names, await driver.issueCertificate(request, step))
    } catch (error) {
      if (!(error instanceof CertificateError)) throw error
      services.log('warn', 'certificate not issued', {
        sitio: site.domain,
        motivo: error.message,
        ...(error.cause === undefined ? {} : { causa: rootMessage(error) }),
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
  names: string[],
  certificate: Certificate,
) {
  return async (tx: Tx): Promise<void> => {
    const now = services.now()
    const renewal = renewAt(certificate.issuedAt, certificate.expiresAt)
    const current = certificateNames(site.domain, await namesOf(tx, site.domain))
    const missing = current.filter((name) => !certificate.names.includes(name))
    // A name that came while this one was asked for is asked for at once; one that was left out may lead here
    // by tomorrow.
    const waitMs = missing.some((name) => !names.includes(name)) ? 0 : DAY_MS
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
    // HTTPS alone waited for this; as it is now, not as it was when the authority was asked.
    const wish = await tx
      .select({ httpsOnly: sites.httpsOnly })
      .from(sites)
      .where(eq(sites.id, site.id))
      .get()
    if (wish?.httpsOnly) queueSite(tx, services, { site, client })
  }
}

function refused(services: Services, site: Site, error: CertificateError) {
  return async (tx: Tx): Promise<void> => {
    const now = services.now()
    const attempts = site.certificateAttempts + 1
    const { kind, retryAfter } = error
    const trusted = site.certificateIssuer !== null
    const valid = trusted && site.certificateExpiresAt !== null && site.certificateExpiresAt > now
    // A name that does not lead here yet is waited for, not an error.
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

/** Nothing to ask now; a site that was waiting for its first certificate goes on with the panel's own. */
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
