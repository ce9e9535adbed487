import { and, eq, inArray, isNull } from 'drizzle-orm'
import {
  deliveries,
  links,
  mails,
  passkeyChallenges,
  passkeys,
  persons,
  recoveryCodes,
  sessions,
  signInSteps,
  tokens,
  webhooks,
} from '../../schema/tables.ts'
import type { Tx } from '../store/database.ts'
import { totpStep } from './totp.ts'

/** What a restored copy no longer accepts or sends, and who may sign in to it. */
export type Revoked = {
  tokens: number
  links: number
  mails: number
  codes: number
  passkeys: number
  webhooks: number
  admins: string[]
}

/**
 * Makes a copy of unknown age safe to start. Tokens, sessions, links, codes and passkeys that were used up or revoked since it
 * was made would work again, and its queued mails may have been sent, so all of these are ended. Who has lost access
 * since cannot be known.
 */
export async function revokeRestored(tx: Tx, now: Date): Promise<Revoked> {
  const silenced = await silenceWebhooks(tx)
  const dead = await tx
    .update(tokens)
    .set({ revokedAt: now, revokedWhy: 'restaurado' })
    .where(isNull(tokens.revokedAt))
    .returning({ id: tokens.id })
  const ended = await tx
    .update(links)
    .set({ endedAt: now, endedWhy: 'anulado' })
    .where(and(isNull(links.endedAt), isNull(links.spentAt)))
    .returning({ id: links.id })
  const unsent = await tx
    .update(mails)
    .set({ state: 'anulado', leaseUntil: null })
    .where(inArray(mails.state, ['en_cola', 'enviando']))
    .returning({ id: mails.id })
  const codes = await tx
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(isNull(recoveryCodes.usedAt))
    .returning({ person: recoveryCodes.personId })
  const removed = await tx.delete(passkeys).returning({ id: passkeys.id })
  tx.later(
    tx.update(sessions).set({ endedAt: now }).where(isNull(sessions.endedAt)),
    tx.update(persons).set({ totpLastStep: totpStep(now) }),
    tx.delete(signInSteps),
    tx.delete(passkeyChallenges),
  )
  return {
    tokens: dead.length,
    links: ended.length,
    mails: unsent.length,
    codes: codes.length,
    passkeys: removed.length,
    webhooks: silenced,
    admins: await adminsOf(tx),
  }
}

/** Before anything else is told: the programs of the original must not hear of what happens in a copy. */
async function silenceWebhooks(tx: Tx): Promise<number> {
  const silenced = await tx
    .update(webhooks)
    .set({ active: false, stopped: 'restaurado' })
    .where(eq(webhooks.active, true))
    .returning({ id: webhooks.id })
  tx.later(
    tx
      .update(deliveries)
      .set({ state: 'abandonada', leaseUntil: null })
      .where(inArray(deliveries.state, ['en_cola', 'enviando'])),
  )
  return silenced.length
}

async function adminsOf(tx: Tx): Promise<string[]> {
  const admins = await tx
    .select({ email: persons.email })
    .from(persons)
    .where(and(eq(persons.role, 'admin'), eq(persons.active, true)))
    .orderBy(persons.email)
  return admins.flatMap(({ email }) => (email === null ? [] : [email]))
}
