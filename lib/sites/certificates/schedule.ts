import { type BackOff, longestMs, waitMs } from '../../work/back-off.ts'

/** Why a certificate was not obtained; each kind is retried at its own pace. */
export type CertificateFailure = 'no_resuelve' | 'rechazada' | 'limite' | 'no_disponible'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const SPREAD = 0.1

/**
 * The waits after failures. A failed validation counts against the account and the name at the authority (Let's
 * Encrypt: five an hour); a look-up of our own counts against nothing.
 */
const BACK_OFF: Record<CertificateFailure, BackOff> = {
  no_resuelve: {
    waitsMs: [2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, HOUR_MS, 6 * HOUR_MS],
    spread: SPREAD,
  },
  no_disponible: { waitsMs: [5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS], spread: SPREAD },
  rechazada: { waitsMs: [15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS], spread: SPREAD },
  limite: { waitsMs: [3 * HOUR_MS, 12 * HOUR_MS, DAY_MS], spread: SPREAD },
}

/** The longest wait that is accepted from an authority. */
export const RETRY_AFTER_AT_MOST_MS = 7 * DAY_MS
/** The longest wait after a failure. */
export const LONGEST_WAIT_MS = Math.max(RETRY_AFTER_AT_MOST_MS, ...Object.values(BACK_OFF).map(longestMs))
/** How long after a success to check the names again, besides the renewal. */
export const LOOK_AGAIN_MS = DAY_MS

/**
 * When to ask again after a failure. `attempts` counts this failure (1 for the first); `retryAfter` is the
 * authority's own time, which is always respected; `seed` (a site's id) spreads sites that failed together over a
 * tenth of the wait.
 */
export function nextAttempt(failure: {
  kind: CertificateFailure
  attempts: number
  now: Date
  retryAfter: Date | null
  seed: number
}): Date {
  // Knuth's multiplicative hash: neighbouring ids get times that are far apart.
  const place = ((failure.seed * 2_654_435_761) % 1000) / 1000
  const own = failure.now.getTime() + waitMs(BACK_OFF[failure.kind], failure.attempts, place)
  return new Date(Math.max(own, failure.retryAfter?.getTime() ?? 0))
}

/** When to renew: at two thirds of the certificate's life, whatever its length. */
export function renewAt(issuedAt: Date, expiresAt: Date): Date {
  const lifeMs = expiresAt.getTime() - issuedAt.getTime()
  return new Date(issuedAt.getTime() + Math.max(0, Math.floor((lifeMs * 2) / 3)))
}

/** The names to ask for now: at most 100 (the limit of one certificate at Let's Encrypt), the domain first. */
export function certificateNames(domain: string, aliases: string[]): string[] {
  return [...new Set([domain, ...aliases])].slice(0, 100)
}
