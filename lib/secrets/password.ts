import { encodeBase62 } from './base62.ts'
import { Secret } from './secret.ts'

const BYTES = 18
const LENGTH = 25

/** A password that nobody has to remember: 144 bits in letters and digits, which every client program takes. */
export const randomPassword = (random: (bytes: number) => Uint8Array): Secret =>
  new Secret(encodeBase62(random(BYTES), LENGTH))
