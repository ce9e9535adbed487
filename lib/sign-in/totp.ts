import { constantTimeEqual } from 'oslo/crypto'
import { base32 } from 'oslo/encoding'
import { createTOTPKeyURI, generateHOTP } from 'oslo/otp'

const STEP_MS = 30_000
const DIGITS = 6
const utf8 = new TextEncoder()

/** A new TOTP secret of 160 bits (RFC 4226 section 4), base32 without padding. */
export function newTotpSecret(random: (bytes: number) => Uint8Array): string {
  return base32.encode(random(20), { includePadding: false })
}

/**
 * The `otpauth://` address that an authenticator scans; its label names the panel and the account. The
 * query is a form's, where a plus is a space, but authenticators know percent signs only.
 */
export function totpUri(secret: string, account: string, host: string): string {
  return createTOTPKeyURI(`Panel ${host}`, account, decode(secret)).replaceAll('+', '%20')
}

/** The time step that an instant lies in (RFC 6238 section 4.2: 30 seconds). */
export function totpStep(now: Date): number {
  return Math.floor(now.getTime() / STEP_MS)
}

/** The code of one step. */
export async function totpCode(secret: string, step: number): Promise<string> {
  return generateHOTP(decode(secret), step, DIGITS)
}

/**
 * The step whose code this is, one to either side of now and later than `lastStep`, or null. The
 * caller stores it, so that no code is accepted twice (RFC 6238 section 5.2).
 */
export async function matchTotp(
  secret: string,
  code: string,
  now: Date,
  lastStep: number,
): Promise<number | null> {
  if (!/^[0-9]{6}$/.test(code)) return null
  const current = totpStep(now)
  let matched: number | null = null
  for (const step of [current - 1, current, current + 1]) {
    const right = constantTimeEqual(utf8.encode(await totpCode(secret, step)), utf8.encode(code))
    if (right && step > lastStep) matched = step
  }
  return matched
}

const decode = (secret: string): Uint8Array => base32.decode(secret, { strict: false })
