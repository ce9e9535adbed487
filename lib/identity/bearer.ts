import { constantTimeEqual } from 'oslo/crypto'
import { decodeBase62, encodeBase62 } from '../secrets/base62.ts'
import { crc32 } from '../secrets/crc32.ts'
import { sha256 } from '../secrets/hash.ts'
import { Secret } from '../secrets/secret.ts'

/**
 * Bearers (docs/api.md, "Bearers"): prefix, 8 base62 characters of public id, 43 of a 32-byte secret, 6 of
 * CRC-32 over all before it. Only the SHA-256 of the 32 bytes is stored.
 */
export type BearerKind = 'token' | 'session'

const PREFIX: Record<BearerKind, string> = { token: 'cpt_', session: 'cps_' }
const FORM = /^(cpt_|cps_)([0-9A-Za-z]{8})([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/

export type NewBearer = { value: Secret; publicId: string; hash: Uint8Array }
export type ParsedBearer = { kind: BearerKind; publicId: string; hash: Uint8Array }

/** Makes a new bearer; `value` is to be shown once and never stored. */
export function createBearer(kind: BearerKind, random: (bytes: number) => Uint8Array): NewBearer {
  const publicId = encodeBase62(random(6), 9).slice(-8)
  const secret = random(32)
  const body = PREFIX[kind] + publicId + encodeBase62(secret, 43)
  return { value: new Secret(body + checksum(body)), publicId, hash: sha256(secret) }
}

/**
 * The parts of a bearer with the right form and checksum; null for any other, without a query. `digest` is the host's
 * own SHA-256, since this runs on every request.
 */
export function parseBearer(
  value: string,
  digest: (bytes: Uint8Array) => Uint8Array = sha256,
): ParsedBearer | null {
  const match = FORM.exec(value)
  if (!match) return null
  const [, prefix, publicId = '', secretText = '', sum] = match
  if (checksum(value.slice(0, -6)) !== sum) return null
  const secret = decodeBase62(secretText, 32)
  return secret && { kind: prefix === PREFIX.token ? 'token' : 'session', publicId, hash: digest(secret) }
}

/** Compares two hashes in constant time. */
export function sameHash(a: Uint8Array, b: Uint8Array): boolean {
  return constantTimeEqual(a, b)
}

/** The part of a bearer that may be shown, so that a person can find its row. */
export function bearerHint(publicId: string): string {
  return PREFIX.token + publicId
}

/** CRC-32 (IEEE) in base62, left-padded. */
function checksum(body: string): string {
  return encodeBase62(crc32(body), 6)
}
