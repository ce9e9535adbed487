import type { Passwords } from '../../../lib/endpoint/context.ts'

/**
 * The hash of a random password that nobody knows: verified if there is no account, so that the answer costs the
 * same.
 */
const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$BBYBMCJcvXpIfVr0+xmDdg$c5TAimLttjdnhxPlrz+LBRonQfEuFaUhMkJThjy4XV4'

/** Argon2id with m=19456 KiB, t=2, p=1 (OWASP's first choice; docs/api.md, "Signing in"). */
export function argon2Passwords(): Passwords {
  let loaded: ReturnType<typeof load> | null = null
  // Not at the start of each panel and each command: it brings native libraries, of hashes that are not used as well.
  const argon = () => {
    loaded ??= load()
    return loaded
  }
  return {
    hash: async (password) => (await argon()).hash(password),
    async verify(hash, password) {
      const right = await (await argon()).verify(hash ?? NOBODY, password)
      return right && hash !== null
    },
    // A form that a host without native code can make too, and that every crypt(3) of Debian checks.
    crypt: (password) => Bun.password.hash(password, { algorithm: 'bcrypt', cost: 10 }),
  }
}

async function load() {
  const { Argon2id } = await import('oslo/password')
  return new Argon2id({ memorySize: 19456, iterations: 2, parallelism: 1 })
}
