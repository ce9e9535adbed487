import { sha1 } from '@noble/hashes/legacy.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { encodeBase62 } from '../secrets/base62.ts'
import { Secret } from '../secrets/secret.ts'

const BYTES = 18
const LENGTH = 25
const utf8 = new TextEncoder()

/** A password that nobody can guess (144 bits), and what MariaDB keeps of it (`mysql_native_password`). */
export function newPassword(random: (bytes: number) => Uint8Array): { password: Secret; hash: string } {
  const password = encodeBase62(random(BYTES), LENGTH)
  return { password: new Secret(password), hash: nativeHash(password) }
}

/** SHA-1 twice, as the server wants it; slow hashes are for what people choose. */
export const nativeHash = (password: string): string =>
  `*${bytesToHex(sha1(sha1(utf8.encode(password)))).toUpperCase()}`
