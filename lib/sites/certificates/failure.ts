import { type Fault, faultText } from '../../text/stored-faults.ts'
import type { CertificateFailure } from './schedule.ts'

/**
 * A certificate was not obtained. `fault` is what the site's owner reads, `message` the same in English for the log;
 * a library's own error is the `cause`. `retryAfter` is when the authority said to come back.
 */
export class CertificateError extends Error {
  readonly kind: CertificateFailure
  readonly fault: Fault
  readonly retryAfter: Date | null
  /** The names that the authority could not validate, if it named them. */
  readonly names: string[]

  constructor(
    kind: CertificateFailure,
    fault: Fault,
    options: { retryAfter?: Date | null; names?: string[]; cause?: unknown } = {},
  ) {
    super(faultText(fault, 'en'), options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'CertificateError'
    this.kind = kind
    this.fault = fault
    this.retryAfter = options.retryAfter ?? null
    this.names = options.names ?? []
  }
}
