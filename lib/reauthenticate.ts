import type { ReadCtx, WriteCtx } from './context.ts'
import { AppError } from './errors.ts'
import { countGuess, requireGuessesLeft, sessionCounts } from './guesses.ts'
import { type Answer, refused } from './handler.ts'
import { personOf } from './logins.ts'
import { checkPassword } from './passwords.ts'
import type { Secret } from './secret.ts'

/** Whether a person gave its password, and by which hash; made in `prepare`, since hashing is slow. */
export type Reauthentication = { personId: string; passwordHash: Secret | null; right: boolean }

/**
 * Checks the caller's own password outside the transaction; 429 where this session guessed wrong too often. Of many
 * guesses at once each began before the others were counted, so a right one is looked at again.
 */
export async function reauthenticate(ctx: ReadCtx, contrasena: string): Promise<Reauthentication> {
  const { actor } = ctx
  if (actor.kind !== 'session') throw new AppError('prohibido')
  const counts = sessionCounts(actor.id)
  await requireGuessesLeft(ctx, counts)
  // As it was when the bearer was looked up.
  const { passwordHash } = actor.login
  const right = await checkPassword(ctx, passwordHash?.reveal() ?? null, contrasena)
  if (right) await requireGuessesLeft(ctx, counts)
  else await countGuess(ctx, counts)
  return { personId: actor.personId, passwordHash, right }
}

/** The refusal of a wrong password, or of one that was changed meanwhile; null when it was right. */
export async function wrongPassword(
  ctx: WriteCtx,
  { passwordHash, right }: Reauthentication,
): Promise<Answer<never> | null> {
  const now = await personOf(ctx)
  if (right && now.passwordHash === passwordHash?.reveal()) return null
  return refused(new AppError('contrasena_incorrecta'))
}
