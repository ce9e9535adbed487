import type { CertificateFailure } from './schedule.ts'

const REASON_LENGTH = 300
// Controls, and the marks that reorder text on a screen (Unicode TR36, "Bidirectional Text Spoofing").
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu

/**
 * A certificate was not obtained. `message` is fit for the site's owner: the authority's own reason without
 * anything that could disturb a page, a log line or a terminal. `retryAfter` is the authority's word.
 */
export class CertificateError extends Error {
  readonly kind: CertificateFailure
  readonly retryAfter: Date | null
  /** The names that the authority could not validate, where it told them. */
  readonly names: string[]

  constructor(
    kind: CertificateFailure,
    reason: string,
    options: { retryAfter?: Date | null; names?: string[]; cause?: unknown } = {},
  ) {
    super(sanitise(reason), options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'CertificateError'
    this.kind = kind
    this.retryAfter = options.retryAfter ?? null
    this.names = options.names ?? []
  }
}

/** One line of at most 300 characters without control, format or reordering characters. */
export function sanitise(text: string): string {
  const line = text.replace(UNPRINTABLE, ' ').replace(/\s+/g, ' ').trim()
  return line.length > REASON_LENGTH ? `${line.slice(0, REASON_LENGTH - 1)}…` : line
}
