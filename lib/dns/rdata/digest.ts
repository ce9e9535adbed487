import { concat, fromHex, toHex, u16 } from './bytes.ts'
import { RdataError } from './error.ts'
import type { Fields, Rdata } from './fields.ts'

/** DS (RFC 4034 section 5): key tag, algorithm, digest type, digest. */
export function ds(fields: Fields): Rdata {
  const [tag, algorithm, type] = [fields.number(65535), fields.number(255), fields.number(255)]
  const digest = digestOf(fields, { 1: 20, 2: 32, 4: 48 }[type])
  return {
    presentation: `${tag} ${algorithm} ${type} ${toHex(digest)}`,
    wire: concat([u16(tag), algorithm, type, digest]),
  }
}

/** SSHFP (RFC 4255): algorithm, type of fingerprint, fingerprint. */
export function sshfp(fields: Fields): Rdata {
  const [algorithm, type] = [fields.number(255), fields.number(255)]
  const digest = digestOf(fields, { 1: 20, 2: 32 }[type])
  return { presentation: `${algorithm} ${type} ${toHex(digest)}`, wire: concat([algorithm, type, digest]) }
}

/** TLSA (RFC 6698 section 2): usage, selector, matching type, association data. */
export function tlsa(fields: Fields): Rdata {
  const [usage, selector, matching] = [fields.number(255), fields.number(255), fields.number(255)]
  const digest = digestOf(fields, { 1: 32, 2: 64 }[matching])
  return {
    presentation: `${usage} ${selector} ${matching} ${toHex(digest)}`,
    wire: concat([usage, selector, matching, digest]),
  }
}

/** Hexadecimal digits, which may be in several words; of a known digest the length must be right. */
function digestOf(fields: Fields, length: number | undefined): Uint8Array {
  const octets = fromHex(
    fields
      .rest()
      .map((token) => token.text)
      .join(''),
  )
  if (length !== undefined && octets.length !== length) {
    throw new RdataError(
      'hexadecimal_invalido',
      `A digest of this type has ${length} octets, not ${octets.length}.`,
      `Un resumen de este tipo tiene ${length} octetos, no ${octets.length}.`,
    )
  }
  return octets
}
