import { and, asc, desc, eq, isNull, lte } from 'drizzle-orm'
import { clients, passkeyChallenges, passkeys, persons } from '../../schema/tables.ts'
import type { WriteCtx } from '../endpoint/context.ts'
import { sha256 } from '../secrets/hash.ts'
import type { Db } from '../store/database.ts'
import type { AssertedCredential } from './shapes.ts'
import { CHALLENGE_MS } from './webauthn.ts'

/** All passkeys of a person, oldest first. */
export const passkeysOf = (db: Db, personId: string) =>
  db.select().from(passkeys).where(eq(passkeys.personId, personId)).orderBy(asc(passkeys.id)).all()

/** One passkey of a person. */
export const ownPasskey = (db: Db, personId: string, id: string) =>
  db
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.personId, personId)))
    .get()

/** Whether anybody has this credential already. */
export const isKnown = async (db: Db, credentialId: string): Promise<boolean> =>
  (await db.$count(passkeys, eq(passkeys.credentialId, credentialId))) > 0

/** The stored challenge that a browser says it answers. */
export const challengeOf = (db: Db, challenge: string) =>
  db
    .select()
    .from(passkeyChallenges)
    .where(eq(passkeyChallenges.hash, sha256(challenge)))
    .get()

/** What decides on a sign-in: the challenge, and the passkey with its owner. */
export async function assertionFacts(db: Db, challenge: string, { id }: AssertedCredential) {
  const [stored, found] = await Promise.all([
    challengeOf(db, challenge),
    db
      .select({ passkey: passkeys, person: persons, client: clients.name })
      .from(passkeys)
      .innerJoin(persons, eq(persons.id, passkeys.personId))
      .leftJoin(clients, eq(clients.id, persons.clientId))
      .where(eq(passkeys.credentialId, id))
      .get(),
  ])
  return { stored, found }
}

/** More than people begin in five minutes. Anybody asks for one of a sign-in, from any number of addresses. */
const MOST_CHALLENGES = 5_000

/**
 * Stores what an authenticator is to sign; `personId` is whose new passkey it is for, null for a sign-in. Where there are
 * too many, the oldest of sign-ins are forgotten: refusing the new one would let strangers keep everybody out.
 */
export function storeChallenge({ tx, now }: WriteCtx, challenge: string, personId: string | null): void {
  const { personId: owner, expiresAt: end } = passkeyChallenges
  const last = tx.select({ end }).from(passkeyChallenges).orderBy(desc(end)).limit(1).offset(MOST_CHALLENGES)
  const expiresAt = new Date(now().getTime() + CHALLENGE_MS)
  tx.later(
    tx.delete(passkeyChallenges).where(and(isNull(owner), lte(end, last))),
    tx.insert(passkeyChallenges).values({ hash: sha256(challenge), personId, expiresAt }),
  )
}

/** Uses a challenge up, whatever comes of it. */
export function spendChallenge({ tx }: Pick<WriteCtx, 'tx'>, challenge: string): void {
  tx.later(tx.delete(passkeyChallenges).where(eq(passkeyChallenges.hash, sha256(challenge))))
}
