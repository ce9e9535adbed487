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

/** The refusal of a wrong password, counted; null when it was right. */
export function wrongPassword(ctx: WriteCtx, { person, right }: Reauthentication): Answer<never> | null {
  if (right) return null
  countFailure(ctx.tx, person, ctx.now())
  return refused(new AppError('contrasena_incorrecta'))
}
