import type { Services } from './context.ts'
import { emailKey } from './email.ts'
import { AppError } from './errors.ts'
import { addressKey } from './limits.ts'

/** Wrong passwords a minute under one address from one place, before that place has to wait. */
const FROM_ONE_PLACE = 6
/** The same from all places that the account has not been signed in from; one place cannot reach it alone. */
const FROM_ALL = 30

/** Under what a guess at a password is counted, and how many of them a minute are let through. */
type Count = { name: string; limit: number }

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

/** Refuses a guess where there were too many: 429 `espera`. */
export async function requireGuessesLeft({ limits, now }: Counting, counts: Count[]): Promise<void> {
  const waits = await Promise.all(counts.map(({ name, limit }) => limits.lockedSeconds(name, limit, now())))
  const retryAfterSeconds = Math.max(...waits)
  if (retryAfterSeconds > 0) throw new AppError('espera', { retryAfterSeconds })
}

/** Counts a wrong password. */
export async function countGuess({ limits, now }: Counting, counts: Count[]): Promise<void> {
  for (const { name, limit } of counts) await limits.strike(name, limit, now())
}
