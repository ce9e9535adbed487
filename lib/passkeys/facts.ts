import { and, asc, eq } from 'drizzle-orm'
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

/** Stores what an authenticator is to sign; `personId` is whose new passkey it is for, null for a sign-in. */
export function storeChallenge(ctx: WriteCtx, challenge: string, personId: string | null): void {
  const expiresAt = new Date(ctx.now().getTime() + CHALLENGE_MS)
  ctx.tx.later(ctx.tx.insert(passkeyChallenges).values({ hash: sha256(challenge), personId, expiresAt }))
}

/** Uses a challenge up, whatever comes of it. */
export function spendChallenge({ tx }: Pick<WriteCtx, 'tx'>, challenge: string): void {
  tx.later(tx.delete(passkeyChallenges).where(eq(passkeyChallenges.hash, sha256(challenge))))
}
