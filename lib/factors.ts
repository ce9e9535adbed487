import { and, eq, lt, sql } from 'drizzle-orm'
import { persons } from '../schema/tables.ts'
import type { WriteCtx } from './context.ts'
import type { Tx } from './database.ts'
import { AppError } from './errors.ts'
import { lockedFor, MAX_LOCK_SECONDS } from './limits.ts'
import type { Person } from './logins.ts'
import { newRecoveryCodes, spendRecoveryCode } from './recovery-codes.ts'
import { totpPlace } from './sessions.ts'
import { matchTotp } from './totp.ts'

/** Failures before the first lock-out of an account, and the longest one. */
const FREE_FAILURES = 5
const MAX_LOCK_MS = 1000 * MAX_LOCK_SECONDS
const FIRST_LOCK_MS = 30_000
const MAX_DOUBLINGS = 10

/**
 * Turns the offered factor on after one right code; answers ten recovery codes, shown this once. The
 * older codes die with the older factor.
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

/** Whether a code is right: a TOTP step later than any used, or an unused recovery code. Uses it up. */
export async function spendFactor(ctx: WriteCtx, person: Person, code: string): Promise<boolean> {
  if (person.totpSecret === null) return false
  if (!/^[0-9]{6}$/.test(code)) return spendRecoveryCode(ctx, person, code)
  const secret = await ctx.keys.open(totpPlace(person.id), person.totpSecret)
  const step = await matchTotp(secret, code, ctx.now(), person.totpLastStep)
  if (step === null) return false
  const rows = await ctx.tx
    .update(persons)
    .set({ totpLastStep: step })
    .where(and(eq(persons.id, person.id), lt(persons.totpLastStep, step)))
    .returning({ id: persons.id })
  return rows.length === 1
}

/** Seconds for which an account takes no guess; 0 when it does. */
export function lockedSeconds(person: Pick<Person, 'lockedUntil'>, now: Date): number {
  return lockedFor(person.lockedUntil?.getTime() ?? 0, now.getTime())
}

/** Refuses a guess on an account that is locked: 429 `espera`, the same as for any too early repeat. */
export function requireUnlocked(person: Pick<Person, 'lockedUntil'>, now: Date): void {
  const retryAfterSeconds = lockedSeconds(person, now)
  if (retryAfterSeconds > 0) throw new AppError('espera', { retryAfterSeconds })
}

/**
 * Counts a wrong code: five are free, then each doubles a lock from 30 s up to 15 minutes. By
 * the database's own count: of many guesses at once each knows only of those before it was checked.
 */
export function countFailure(tx: Tx, person: Pick<Person, 'id'>, now: Date): void {
  const over = sql`failures + 1 - ${FREE_FAILURES}`
  const lockMs = sql`min(${MAX_LOCK_MS}, ${FIRST_LOCK_MS} << min(${over}, ${MAX_DOUBLINGS}))`
  const lockedUntil = sql`case when ${over} < 0 then null else ${now.getTime()} + ${lockMs} end`
  tx.later(
    tx.update(persons).set({ failures: sql`failures + 1`, lockedUntil }).where(eq(persons.id, person.id)),
  )
}

/** A complete sign-in clears what was counted. */
export function clearFailures(tx: Tx, personId: string): void {
  tx.later(tx.update(persons).set({ failures: 0, lockedUntil: null }).where(eq(persons.id, personId)))
}
