import type { Services } from './context.ts'
import type { Db } from './database.ts'
import { emailKey } from './email.ts'
import { AppError } from './errors.ts'
import { addressKey, type Count } from './limits.ts'

/** Wrong passwords a minute under one address from one place, before that place has to wait. */
const FROM_ONE_PLACE = 6
/** The same from all places that the account has not been signed in from; one place cannot reach it alone. */
const FROM_ALL = 30

/**
 * Where the guesses at an e-mail address are counted, known to the panel or not. By the place alone they could be made
 * from many; by the address alone anybody could keep its owner out. So a device that has signed in is counted apart.
 */
export function signInCounts(email: string, from: { address: string; device: string | null }): Count[] {
  if (from.device !== null) return [{ name: `entrar:equipo:${from.device}`, limit: FROM_ONE_PLACE }]
  const key = emailKey(email)
  return [
    { name: `entrar:${key}:${addressKey(from.address)}`, limit: FROM_ONE_PLACE },
    { name: `entrar:${key}`, limit: FROM_ALL },
  ]
}

/** Guesses at the own password inside a session are the session's alone: no stranger's stand in its way. */
export const sessionCounts = (sessionId: string): Count[] => [
  { name: `contrasena:${sessionId}`, limit: FROM_ONE_PLACE },
]

type Counting = Pick<Services, 'limits' | 'now'>

/**
 * Checks a password and counts a wrong guess; 429 `espera` where this process knows of too many, which costs no query.
 * Of many guesses at once each begins before the others are counted, so a right one still needs `requireNoLock`.
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
