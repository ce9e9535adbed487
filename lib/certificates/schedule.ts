/** Why a certificate was not obtained; each kind has its own pace of trying again. */
export type CertificateFailure = 'no_resuelve' | 'rechazada' | 'limite' | 'no_disponible'

const MINUTE_MS = 60_000
const HOUR_MINUTES = 60
const DAY_MINUTES = 1440

/**
 * Minutes until the next attempt after the n-th failure. A validation that fails counts against the
 * account and the name at the authority (Let's Encrypt: five an hour), a look-up of our own against nobody.
 */
const WAITS: Record<CertificateFailure, readonly [number, ...number[]]> = {
  no_resuelve: [2, 5, 15, 30, HOUR_MINUTES, HOUR_MINUTES, 6 * HOUR_MINUTES],
  no_disponible: [5, 15, HOUR_MINUTES, 6 * HOUR_MINUTES],
  rechazada: [15, HOUR_MINUTES, 6 * HOUR_MINUTES, DAY_MINUTES],
  limite: [3 * HOUR_MINUTES, 12 * HOUR_MINUTES, DAY_MINUTES],
}

/**
 * When to ask again after a failure. `attempts` counts this one (1 for the first); `retryAfter` is the
 * authority's own word, never undercut; `seed` (a site's id) spreads sites that failed together over a
 * tenth of the wait.
 */
export function nextAttempt(failure: {
  kind: CertificateFailure
  attempts: number
  now: Date
  retryAfter: Date | null
  seed: number
}): Date {
  const waits = WAITS[failure.kind]
  const index = Math.min(Math.max(failure.attempts, 1), waits.length) - 1
  const waitMs = (waits[index] ?? DAY_MINUTES) * MINUTE_MS
  // Knuth's multiplicative hash: neighbours in id are far apart in time.
  const spread = ((failure.seed * 2_654_435_761) % 1000) / 10_000
  const own = failure.now.getTime() + Math.round(waitMs * (1 + spread))
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
