import type { ReadCtx, WriteCtx } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { findPerson } from '../identity/logins.ts'
import type { Secret } from '../secrets/secret.ts'
import type { CallerFacts } from './decide.ts'
import { guess, sessionCounts } from './guesses.ts'
import { checkPassword } from './passwords.ts'

/** The person who gave the right password, and the hash that it matched; made in `prepare`, since hashing is slow. */
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

/** The facts that `wrongPassword` judges, once the rest of the request has been decided. */
export async function callerFacts(ctx: WriteCtx): Promise<CallerFacts> {
  const { actor } = ctx
  if (actor.kind !== 'session') throw new AppError('prohibido')
  const names = sessionCounts(actor.id).map(({ name }) => name)
  const [person, lockedSeconds] = await Promise.all([
    findPerson(ctx.tx, actor.personId),
    ctx.limits.lockedSeconds(names, ctx.now(), ctx.tx),
  ])
  return { person, lockedSeconds }
}
