import { Argon2id } from 'oslo/password'
import type { Passwords } from '../../lib/context.ts'

/** Argon2id with m=19456 KiB, t=2, p=1 (OWASP's first choice; contract section 4.9). */
export function argon2Passwords(): Passwords {
  const argon = new Argon2id({ memorySize: 19456, iterations: 2, parallelism: 1 })
  // Checked where there is no account or no password, so that the answer costs the same.
  const nobody = argon.hash(crypto.randomUUID())
  return {
    hash: (password) => argon.hash(password),
    async verify(hash, password) {
      const right = await argon.verify(hash ?? (await nobody), password)
      return right && hash !== null
    },
  }
}
