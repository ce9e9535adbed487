import type { ReadCtx, WriteCtx } from './context.ts'
import { AppError } from './errors.ts'
import { countFailure, requireUnlocked } from './factors.ts'
import { type Answer, refused } from './handler.ts'
import { type Person, personOf } from './logins.ts'
import { checkPassword } from './passwords.ts'

/** The caller, checked against the password it gave; made in `prepare`, since hashing is slow. */
export type Reauthentication = { person: Person; right: boolean }

/** Checks the caller's own password outside the transaction; 429 while the account is locked. */
export async function reauthenticate(ctx: ReadCtx, contrasena: string): Promise<Reauthentication> {
  const person = await personOf(ctx)
  requireUnlocked(person, ctx.now())
  return { person, right: await checkPassword(ctx, person.passwordHash, contrasena) }
}

/**
 * The refusal of a wrong password, counted; null when it was right. Of many guesses at once each was checked
 * before the others were counted: so what they did since is looked at again, 429 when they locked the account.
 */
export async function wrongPassword(
  ctx: WriteCtx,
  { person, right }: Reauthentication,
): Promise<Answer<never> | null> {
  const now = await personOf(ctx)
  requireUnlocked(now, ctx.now())
  if (right && now.passwordHash === person.passwordHash) return null
  countFailure(ctx.tx, person, ctx.now())
  return refused(new AppError('contrasena_incorrecta'))
}
