import type { signInSteps } from '../../schema/tables.ts'
import { AppError } from '../endpoint/errors.ts'
import { type Answer, refused } from '../endpoint/handler.ts'
import type { Person } from '../identity/decide.ts'
import type { Secret } from '../secrets/secret.ts'

/** A person, and the name of the client that it signs in for; null for an admin. */
export type Account = { person: Person; client: string | null }

type Step = typeof signInSteps.$inferSelect
export type StepPurpose = Step['purpose']

export type StepFacts = {
  found: (Account & { step: Step }) | undefined
  /** What is stored of the person's unused recovery codes. */
  codes: Uint8Array[]
}

/** The account of a live step of this purpose; 401 `paso_invalido` for anything else. */
export function requireStep({ found }: Pick<StepFacts, 'found'>, purpose: StepPurpose, now: Date): Account {
  const live = found && found.step.expiresAt > now && found.person.active
  if (!live || found.step.purpose !== purpose) throw new AppError('paso_invalido')
  return found
}

/** The caller as stored now, and for how long its session may not guess. */
export type CallerFacts = { person: Person | undefined; lockedSeconds: number }

/** The caller, or 403 `prohibido` where it is gone. */
export function requireCaller({ person }: CallerFacts): Person {
  if (!person) throw new AppError('prohibido')
  return person
}

/** The refusal of a wrong password, or of one that was changed meanwhile; null if it was right. */
export function wrongPassword(
  { right, passwordHash }: { right: boolean; passwordHash: Secret | null },
  facts: CallerFacts,
): Answer<never> | null {
  if (!right) return refused(new AppError('contrasena_incorrecta'))
  const person = requireCaller(facts)
  const { lockedSeconds } = facts
  if (lockedSeconds > 0) throw new AppError('espera', { retryAfterSeconds: lockedSeconds })
  return person.passwordHash === passwordHash?.reveal()
    ? null
    : refused(new AppError('contrasena_incorrecta'))
}
