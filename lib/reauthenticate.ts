import type { ReadCtx, WriteCtx } from './context.ts'
import { AppError } from './errors.ts'
import { countFailure, requireUnlocked } from './factors.ts'
import { type Answer, refused } from './handler.ts'
import { personOf } from './logins.ts'
import { checkPassword } from './passwords.ts'
import type { Secret } from './secret.ts'

/** Whether a person gave its password, and by which hash; made in `prepare`, since hashing is slow. */
export type Reauthentication = { personId: string; passwordHash: Secret | null; right: boolean }

/** Checks the caller's own password outside the transaction; 429 while the account is locked. */
export async function reauthenticate(ctx: ReadCtx, contrasena: string): Promise<Reauthentication> {
  const { actor } = ctx
  if (actor.kind !== 'session') throw new AppError('prohibido')
  // As it was when the bearer was looked up.
  const { passwordHash, lockedUntil } = actor.login
  requireUnlocked({ lockedUntil }, ctx.now())
  const right = await checkPassword(ctx, passwordHash?.reveal() ?? null, contrasena)
  return { personId: actor.personId, passwordHash, right }
}

/**
 * The refusal of a wrong password, counted; null when it was right. Of many guesses at once each was checked
 * before the others were counted: so what they did since is looked at again, 429 when they locked the account.
 */
export async function wrongPassword(
  ctx: WriteCtx,
  { passwordHash, right }: Reauthentication,
): Promise<Answer<never> | null> {
  const now = await personOf(ctx)
  requireUnlocked(now, ctx.now())
  if (right && now.passwordHash === passwordHash?.reveal()) return null
  countFailure(ctx.tx, now, ctx.now())
  return refused(new AppError('contrasena_incorrecta'))
}
