import type { Services } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { addressKey, type Count } from '../store/counters.ts'
import type { Db } from '../store/database.ts'
import { emailKey } from '../text/email-address.ts'

/** Wrong passwords per minute for one e-mail address from one place, after which that place has to wait. */
const FROM_ONE_PLACE = 6
/**
 * Wrong passwords per minute for one e-mail address from all places without a known device; a single place cannot
 * reach this number.
 */
const FROM_ALL = 30

/**
 * The names under which guesses at an e-mail address are counted, whether the panel knows the address or not.
 * Counting by place alone would let an attacker use many places; counting by address alone would let anybody lock its
 * owner out. So a device that has signed in is counted apart.
 */
export function signInCounts(email: string, from: { address: string; device: string | null }): Count[] {
  if (from.device !== null) return [{ name: `entrar:equipo:${from.device}`, limit: FROM_ONE_PLACE }]
  const key = emailKey(email)
  return [
    { name: `entrar:${key}:${addressKey(from.address)}`, limit: FROM_ONE_PLACE },
    { name: `entrar:${key}`, limit: FROM_ALL },
  ]
}

/**
 * Guesses at one's own password inside a session count for that session alone, so that no stranger can lock it out.
 */
export const sessionCounts = (sessionId: string): Count[] => [
  { name: `contrasena:${sessionId}`, limit: FROM_ONE_PLACE },
]

type Counting = Pick<Services, 'limits' | 'now'>

/**
 * Checks a password and counts a wrong guess; 429 `espera` where this process counted too many, which costs no query.
 * Guesses made at once do not see each other's count, so a right one still needs `requireNoLock`.
 */
export async function guess(
  { limits, now }: Counting,
  counts: Count[],
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  await requireNoLock({ limits: limits.local, now }, counts)
  const right = await isRight()
  if (right) return true
  await requireNoLock({ limits, now }, counts)
  await limits.strike(counts, now())
  return false
}

/** Refuses where there were too many guesses: 429 `espera`. */
export async function requireNoLock({ limits, now }: Counting, counts: Count[], db?: Db): Promise<void> {
  const names = counts.map(({ name }) => name)
  const retryAfterSeconds = await limits.lockedSeconds(names, now(), db)
  if (retryAfterSeconds > 0) throw new AppError('espera', { retryAfterSeconds })
}
