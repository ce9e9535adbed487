import type { SftpKey } from '../../schema/tables.ts'
import { sha256 } from '../secrets/hash.ts'

/** Why a line is not an accepted key. */
export type KeyRefusal = 'llave_invalida' | 'llave_debil'

const LINE = /^([a-z0-9@.-]{1,64}) ([A-Za-z0-9+/]{16,12000}={0,2})(?: (.*))?$/
const LEAST_RSA_BITS = 3072
const POINT_BYTES: Record<string, number> = { nistp256: 65, nistp384: 97, nistp521: 133 }
const WEAK = ['ssh-dss']
const COMMENT_MAX = 200
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/**
 * A line as `ssh-keygen` writes it into a `.pub` file (RFC 4253, 6.6; RFC 5656, 3.1; RFC 8709, 4). Whatever stands
 * before the type, such as options of an `authorized_keys` file, makes it no key.
 */
export function parseKey(line: string): SftpKey | KeyRefusal {
  const [, type, data, comment = ''] = LINE.exec(line.trim().replace(/\s+/g, ' ')) ?? []
  if (type === undefined || data === undefined || CONTROL.test(line.trim())) return 'llave_invalida'
  if (WEAK.includes(type)) return 'llave_debil'
  const bytes = decoded(data)
  const fields = bytes && fieldsOf(bytes)
  if (!bytes || !fields || textOf(fields[0]) !== type) return 'llave_invalida'
  const refusal = judge(type, fields)
  if (refusal !== null) return refusal
  return { type, data, comment: comment.slice(0, COMMENT_MAX), fingerprint: fingerprintOf(bytes) }
}

function judge(type: string, fields: Uint8Array[]): KeyRefusal | null {
  const [, first, second] = fields
  if (type === 'ssh-ed25519') {
    return fields.length === 2 && first?.length === 32 ? null : 'llave_invalida'
  }
  const curve = /^ecdsa-sha2-(nistp(?:256|384|521))$/.exec(type)?.[1]
  if (curve !== undefined) {
    const sound =
      fields.length === 3 &&
      textOf(first) === curve &&
      second?.length === POINT_BYTES[curve] &&
      second?.[0] === 4
    return sound ? null : 'llave_invalida'
  }
  if (type !== 'ssh-rsa' || fields.length !== 3) return 'llave_invalida'
  const [exponent, modulus] = [bitsOf(first), bitsOf(second)]
  if (exponent === null || modulus === null || exponent < 2) return 'llave_invalida'
  return modulus < LEAST_RSA_BITS ? 'llave_debil' : null
}

/** The bits of a whole number above zero in its shortest form (RFC 4251, 5: mpint); null for anything else. */
function bitsOf(number: Uint8Array | undefined): number | null {
  const [first, next] = number ?? []
  if (number === undefined || first === undefined || first > 0x7f) return null
  if (first !== 0) return (number.length - 1) * 8 + (32 - Math.clz32(first))
  return next === undefined || next < 0x80 ? null : (number.length - 1) * 8
}

/** The strings that a key is made of, each after its length; null where it does not end with one. */
function fieldsOf(bytes: Uint8Array): Uint8Array[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const fields: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    if (at + 4 > bytes.length) return null
    const end = at + 4 + view.getUint32(at)
    if (end > bytes.length || fields.length === 3) return null
    fields.push(bytes.subarray(at + 4, end))
    at = end
  }
  return fields
}

const textOf = (bytes: Uint8Array | undefined) => (bytes ? String.fromCharCode(...bytes.subarray(0, 64)) : '')

function decoded(data: string): Uint8Array | null {
  try {
    const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
    // Only one spelling of each key, although the server accepts others.
    return btoa(String.fromCharCode(...bytes)) === data ? bytes : null
  } catch {
    return null
  }
}

/** As OpenSSH shows it. */
export const fingerprintOf = (bytes: Uint8Array) =>
  `SHA256:${btoa(String.fromCharCode(...sha256(bytes))).replace(/=+$/, '')}`
