import type { CertificateFailure } from '../../../lib/certificates/schedule.ts'

/** The failure kind of an ACME error type (RFC 8555 section 6.7) and status. */
export function failureKind(type: string, status: number): CertificateFailure {
  if (type.endsWith(':rateLimited') || status === 429) return 'limite'
  if (type.endsWith(':serverInternal') || status >= 500) return 'no_disponible'
  return 'rechazada'
}

/** A `Retry-After` of seconds or an HTTP date (RFC 9110 section 10.2.3), at most a week ahead. */
export function parseRetryAfter(value: string | null, now: Date): Date | null {
  if (value === null) return null
  const at = /^\d{1,9}$/.test(value) ? now.getTime() + Number(value) * 1000 : Date.parse(value)
  if (Number.isNaN(at)) return null
  return new Date(Math.min(at, now.getTime() + 7 * 86_400_000))
}
