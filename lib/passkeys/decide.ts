import type { passkeyChallenges, passkeys } from '../../schema/tables.ts'
import { AppError } from '../endpoint/errors.ts'
import { isActivated } from '../identity/decide.ts'
import type { Account } from '../sign-in/decide.ts'

export type Passkey = typeof passkeys.$inferSelect
/** What a verified authenticator says of a new passkey, and of one that it has used. */
export type Made = Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'synced' | 'transports'>
export type Asserted = Pick<Passkey, 'counter' | 'synced'>
export type Challenge = typeof passkeyChallenges.$inferSelect

/** How many one person may have. */
export const MOST_PASSKEYS = 20

/** A live challenge that was made for this person, or for a sign-in where `personId` is null; 401 for any other. */
export function requireChallenge(
  challenge: Challenge | undefined,
  personId: string | null,
  now: Date,
): Challenge {
  if (!challenge || challenge.expiresAt <= now || challenge.personId !== personId)
    throw new AppError('paso_invalido')
  return challenge
}

/** Refuses a further passkey: where there are too many, or where the panel has no host name. */
export function requireRoom({ count, host }: { count: number; host: string | null }): string {
  if (host === null) throw new AppError('llaves_no_disponibles')
  if (count >= MOST_PASSKEYS) throw new AppError('demasiadas_llaves', { maximo: MOST_PASSKEYS })
  return host
}

/**
 * Whether a signature counter goes on from the highest one that was seen. One that does not is the mark of a copied
 * key (Web Authentication section 6.1.1); authenticators that do not count always tell 0.
 */
export const counterGoesOn = (seen: number, given: number): boolean =>
  given > seen || (given === 0 && seen === 0)

/** Whether a passkey signs its owner in: what was asserted is right, and the owner may sign in at all. */
export function signsIn(
  found: (Account & { passkey: Passkey }) | undefined,
  asserted: Asserted | null,
): found is Account & { passkey: Passkey } {
  if (!found || !asserted) return false
  const { person, passkey } = found
  return person.active && isActivated(person) && counterGoesOn(passkey.counter, asserted.counter)
}

/** The passkey of one's own that is to go; 404 for any other. */
export function requireOwn(passkey: Passkey | undefined): Passkey {
  if (!passkey) throw new AppError('llave_no_existe')
  return passkey
}
