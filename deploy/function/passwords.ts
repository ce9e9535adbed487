import { argon2id } from '@noble/hashes/argon2.js'
import { hash as bcrypt } from 'bcryptjs'
import type { Passwords } from '../../lib/endpoint/context.ts'

/** The same cost as on a node (docs/api.md, "Signing in"). */
const COST = { m: 19456, t: 2, p: 1 } as const
const SALT_BYTES = 16
const TAG_BYTES = 32

/** Limits on the cost that a stored hash may ask for, so that no row can exhaust the host's memory. */
const MAX_MEMORY_KIB = 262_144
const MAX_PASSES = 10

/** Verified if the person has no password, so that the answer takes as long. */
const NOBODY = `$argon2id$v=19$m=${COST.m},t=${COST.t},p=${COST.p}$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`

/**
 * Argon2id (RFC 9106) in JavaScript, for hosts without native code; the PHC strings are those of
 * `deploy/node/host/passwords.ts`, so a hash made on either side verifies on the other.
 */
export function pureArgon2Passwords(random: (bytes: number) => Uint8Array): Passwords {
  return {
    async hash(password) {
      const salt = random(SALT_BYTES)
      const tag = argon2id(bytesOf(password), salt, { ...COST, dkLen: TAG_BYTES })
      return `$argon2id$v=19$m=${COST.m},t=${COST.t},p=${COST.p}$${base64(salt)}$${base64(tag)}`
    },
    async verify(hash, password) {
      const parsed = parsePhc(hash ?? NOBODY)
      if (!parsed) return false
      const { m, t, p, salt, tag } = parsed
      const made = argon2id(bytesOf(password), salt, { m, t, p, dkLen: tag.length })
      return sameBytes(made, tag) && hash !== null
    },
    crypt: (password) => bcrypt(password, 10),
  }
}

const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,86})$/

function parsePhc(text: string) {
  const [, m, t, p, salt, tag] = PHC.exec(text) ?? []
  if (!m || !t || !p || !salt || !tag) return null
  const cost = { m: Number(m), t: Number(t), p: Number(p) }
  if (cost.m > MAX_MEMORY_KIB || cost.t > MAX_PASSES) return null
  return { ...cost, salt: unbase64(salt), tag: unbase64(tag) }
}

/** Normalised as the node's library does it, so that a password has the same bytes on both. */
const bytesOf = (password: string) => new TextEncoder().encode(password.normalize('NFKC'))

/** PHC strings carry base64 without padding. */
const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes)).replace(/=+$/, '')
const unbase64 = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

/** Takes the same time wherever the first difference is. */
function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0)
  return difference === 0
}
