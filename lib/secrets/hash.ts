import { hmac } from '@noble/hashes/hmac.js'
import { sha256 as sha256Bytes } from '@noble/hashes/sha2.js'

const utf8 = new TextEncoder()

/** SHA-256 (FIPS 180-4). Synchronous, since every request looks up its bearer by it. */
export function sha256(value: Uint8Array | string): Uint8Array {
  return sha256Bytes(typeof value === 'string' ? utf8.encode(value) : value)
}

/** HMAC-SHA-256 (RFC 2104). */
export function hmacSha256(key: Uint8Array, message: string): Uint8Array {
  return hmac(sha256Bytes, key, utf8.encode(message))
}
