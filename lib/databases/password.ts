import { sha1 } from '@noble/hashes/legacy.js'
import { bytesToHex } from '@noble/hashes/utils.js'

const utf8 = new TextEncoder()

/** What MariaDB keeps of a password (`mysql_native_password`): SHA-1 twice; slow hashes are for what people choose. */
export const nativeHash = (password: string): string =>
  `*${bytesToHex(sha1(sha1(utf8.encode(password)))).toUpperCase()}`
