import { eq, sql } from 'drizzle-orm'
import { passkeys, persons, recoveryCodes } from '../../schema/tables.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import type { Person } from '../identity/decide.ts'
import { endSessions } from '../identity/logins.ts'
import { lockedFor, MAX_LOCK_SECONDS } from '../store/counters.ts'
import type { Tx } from '../store/database.ts'
import type { Account } from './decide.ts'
import { newRecoveryCodes, spendRecoveryCode } from './recovery-codes.ts'
import { endSteps, openSession, totpPlace } from './sessions.ts'
import { matchTotp } from './totp.ts'

/** Failures before the first lock-out of an account, and the longest one. */
const FREE_FAILURES = 5
const MAX_LOCK_MS = 1000 * MAX_LOCK_SECONDS
const FIRST_LOCK_MS = 30_000
const MAX_DOUBLINGS = 10

/**
 * Turns on the offered factor after one right code; returns ten recovery codes, which are shown only now. The older
 * codes end with the older factor.
 */
export async function enrolFactor(ctx: WriteCtx, person: Person, code: string): Promise<string[] | null> {
  if (person.totpPending === null) throw new AppError('paso_invalido')
  const secret = await ctx.keys.open(totpPlace(person.id), person.totpPending)
  const step = await matchTotp(secret, code, ctx.now(), person.totpLastStep)
  if (step === null) return null
  ctx.tx.later(
    ctx.tx
      .update(persons)
      .set({ totpSecret: person.totpPending, totpPending: null, totpLastStep: step })
      .where(eq(persons.id, person.id)),
  )
  return newRecoveryCodes(ctx, person.id)
}

/**
 * Takes away a person's factor, recovery codes and passkeys, so that it enrols again. Its sessions and half-done
 * sign-ins end.
 */
export function enqueueNoFactor(ctx: WriteCtx, personId: string): void {
  const { tx } = ctx
  tx.later(
    tx.update(persons).set({ totpSecret: null, totpPending: null }).where(eq(persons.id, personId)),
    tx.delete(recoveryCodes).where(eq(recoveryCodes.personId, personId)),
    tx.delete(passkeys).where(eq(passkeys.personId, personId)),
  )
  endSteps(tx, personId)
  endSessions(tx, ctx, { personId })
}

/**
 * Whether a code is right, and uses it up: a TOTP step later than any used one, or an unused recovery code. `codes`
 * must have been read in the same transaction.
 */
export async function spendFactor(
  ctx: WriteCtx,
  { person, codes }: { person: Person; codes: Uint8Array[] },
  code: string,
): Promise<boolean> {
  if (person.totpSecret === null) return false
  if (!/^[0-9]{6}$/.test(code)) return spendRecoveryCode(ctx, { person, codes }, code)
  const secret = await ctx.keys.open(totpPlace(person.id), person.totpSecret)
  const step = await matchTotp(secret, code, ctx.now(), person.totpLastStep)
  if (step === null) return false
  ctx.tx.later(ctx.tx.update(persons).set({ totpLastStep: step }).where(eq(persons.id, person.id)))
  return true
}

/** Seconds for which an account takes no guess; 0 when it does. */
function lockedSeconds(person: Pick<Person, 'lockedUntil'>, now: Date): number {
  return lockedFor(person.lockedUntil?.getTime() ?? 0, now.getTime())
}

/** Refuses a guess on an account that is locked: 429 `espera`, the same as for any too early repeat. */
export function requireUnlocked(person: Pick<Person, 'lockedUntil'>, now: Date): void {
  const retryAfterSeconds = lockedSeconds(person, now)
  if (retryAfterSeconds > 0) throw new AppError('espera', { retryAfterSeconds })
}

/**
 * Counts a wrong code: five are free, then each doubles the lock from 30 s up to 15 minutes. The database does the
 * counting, since guesses made at once do not know of each other.
 */
export function countFailure(tx: Tx, person: Pick<Person, 'id'>, now: Date): void {
  const over = sql`failures + 1 - ${FREE_FAILURES}`
  const lockMs = sql`min(${MAX_LOCK_MS}, ${FIRST_LOCK_MS} << min(${over}, ${MAX_DOUBLINGS}))`
  const lockedUntil = sql`case when ${over} < 0 then null else ${now.getTime()} + ${lockMs} end`
  tx.later(
    tx.update(persons).set({ failures: sql`failures + 1`, lockedUntil }).where(eq(persons.id, person.id)),
  )
}

/** Forgets the wrong codes that were counted, and ends their lock. */
export function clearFailures(tx: Tx, personId: string): void {
  tx.later(tx.update(persons).set({ failures: 0, lockedUntil: null }).where(eq(persons.id, personId)))
}

/** Opens the session of a person who has completed a sign-in, and clears failures and unfinished sign-ins. */
export function completeSignIn(ctx: WriteCtx, account: Account) {
  clearFailures(ctx.tx, account.person.id)
  endSteps(ctx.tx, account.person.id)
  return openSession(ctx, account)
}
