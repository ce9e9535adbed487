import { eq } from 'drizzle-orm'
import { passkeys, persons, recoveryCodes } from '../../schema/tables.ts'
import type { Services, WriteCtx } from '../endpoint/context.ts'
import { enqueueMail } from '../mail/queue.ts'
import { LINK_MS, newLinkUrl } from '../secrets/links.ts'
import type { Secret } from '../secrets/secret.ts'
import type { Db, Tx } from '../store/database.ts'
import { ulid } from '../store/ids.ts'
import { adminAt, type Person } from './decide.ts'
import { enqueueLink } from './links.ts'

type Inviter = Pick<Services, 'now' | 'random' | 'keys' | 'config'>

/** All admins; they are few, and found by an address however it is spelt. */
export const allAdmins = (db: Db): Promise<Person[]> =>
  db.select().from(persons).where(eq(persons.role, 'admin')).all()

/** Mails an admin a link to sign up, or a newer one. */
export function enqueueInvitation(ctx: WriteCtx, { id, email, language }: Person): void {
  const linkId = enqueueLink(ctx.tx, ctx, { personId: id, purpose: 'invitar' })
  if (email !== null) enqueueMail(ctx.tx, ctx, { kind: 'invitacion', to: email, language, linkId })
  ctx.work.wake()
}

/**
 * An admin who was disabled chooses a new password and enrols a new factor: whoever knew the old ones is not let in.
 */
export function startOver(ctx: WriteCtx, admin: Person): void {
  const none = { passwordHash: null, totpSecret: null, totpPending: null, recoveryKey: null }
  ctx.tx.later(
    ctx.tx
      .update(persons)
      .set({ ...none, totpLastStep: 0, failures: 0, lockedUntil: null })
      .where(eq(persons.id, admin.id)),
    ctx.tx.delete(recoveryCodes).where(eq(recoveryCodes.personId, admin.id)),
    ctx.tx.delete(passkeys).where(eq(passkeys.personId, admin.id)),
  )
  if (admin.email !== null) enqueueInvitation(ctx, admin)
}

/** A link to print on the node's own terminal: an invitation, or a reset for an admin who exists. */
export async function adminLink(
  tx: Tx,
  services: Inviter,
  email: string,
): Promise<{ link: Secret; person: Person }> {
  const person = adminAt(await allAdmins(tx), email) ?? enqueueAdmin(tx, services, { email, language: 'es' })
  const expiresAt = new Date(services.now().getTime() + LINK_MS)
  const purpose = person.passwordHash === null ? 'invitar' : 'restablecer'
  const id = enqueueLink(tx, services, { personId: person.id, purpose, expiresAt })
  return { link: newLinkUrl(services, id), person }
}

/** A new admin without credentials. */
export function enqueueAdmin(
  tx: Tx,
  services: Inviter,
  { email, language }: Pick<Person, 'email' | 'language'>,
): Person {
  const row: Person = {
    id: `per_${ulid(services.now(), services.random)}`,
    role: 'admin',
    email,
    language,
    country: null,
    timeZone: null,
    clientId: null,
    active: true,
    passwordHash: null,
    recoveryKey: null,
    totpSecret: null,
    totpPending: null,
    totpLastStep: 0,
    failures: 0,
    lockedUntil: null,
    createdAt: services.now(),
    lastLoginAt: null,
  }
  tx.later(tx.insert(persons).values(row))
  return row
}
