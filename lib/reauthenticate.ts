import type { ReadCtx, WriteCtx } from './context.ts'
import { AppError } from './errors.ts'
import { guess, requireNoLock, sessionCounts } from './guesses.ts'
import { type Answer, refused } from './handler.ts'
import { personOf, sessionIdOf } from './logins.ts'
import { checkPassword } from './passwords.ts'
import type { Secret } from './secret.ts'

/** Whether a person gave its password, and by which hash; made in `prepare`, since hashing is slow. */
export type Reauthentication = { personId: string; passwordHash: Secret | null; right: boolean }

/** Checks the caller's own password outside the transaction; 429 where this session guessed wrong too often. */
export async function reauthenticate(ctx: ReadCtx, contrasena: string): Promise<Reauthentication> {
  const { actor } = ctx
  if (actor.kind !== 'session') throw new AppError('prohibido')
  // As it was when the bearer was looked up.
  const { passwordHash } = actor.login
  const right = await guess(ctx, sessionCounts(actor.id), () =>
    checkPassword(ctx, passwordHash?.reveal() ?? null, contrasena),
  )
  return { personId: actor.personId, passwordHash, right }
}

/** Who the caller is by now, where its session may guess; to be asked ahead of `wrongPassword`. */
export async function callerNow(ctx: WriteCtx) {
  const counts = sessionCounts(sessionIdOf(ctx.actor) ?? '')
  const [person] = await Promise.all([personOf(ctx), requireNoLock(ctx, counts, ctx.tx)])
  return person
}

/** The refusal of a wrong password, or of one that was changed meanwhile; null when it was right. */
export async function wrongPassword(
  ctx: WriteCtx,
  { passwordHash, right }: Reauthentication,
): Promise<Answer<never> | null> {
  if (!right) return refused(new AppError('contrasena_incorrecta'))
  const now = await callerNow(ctx)
  if (now.passwordHash === passwordHash?.reveal()) return null
  return refused(new AppError('contrasena_incorrecta'))
}
