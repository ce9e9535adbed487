import { and, eq } from 'drizzle-orm'
import { persons, recoveryCodes } from '../schema/tables.ts'
import type { Services, WriteCtx } from './context.ts'
import type { Tx } from './database.ts'
import { emailKey } from './email.ts'
import { ulid } from './ids.ts'
import { createLink, newLinkUrl } from './links.ts'
import { isActivated, type Person } from './logins.ts'
import { queueMail } from './mail.ts'
import type { Secret } from './secret.ts'

type Inviter = Pick<Services, 'now' | 'random' | 'keys' | 'config'>

/**
 * Invites an admin by mail, or sends the one who is already invited a newer link. An admin who has
 * signed up is left alone; the answer's `isNew` tells whether a row was made.
 */
export async function inviteAdmin(
  tx: Tx,
  services: Inviter,
  email: string,
  language: 'es' | 'en',
): Promise<{ person: Person; isNew: boolean }> {
  const known = await adminByEmail(tx, email)
  const person = known ?? (await insertAdmin(tx, services, email, language))
  if (!isActivated(person)) mailInvitation(tx, services, person, email)
  return { person, isNew: known === undefined }
}

/** An admin who was disabled chooses a password and enrols a factor anew: who knew the old ones is not let in. */
export function startOver(ctx: WriteCtx, admin: Person): void {
  const none = { passwordHash: null, totpSecret: null, totpPending: null, recoveryKey: null }
  ctx.tx.later(
    ctx.tx
      .update(persons)
      .set({ ...none, totpLastStep: 0, failures: 0, lockedUntil: null })
      .where(eq(persons.id, admin.id)),
    ctx.tx.delete(recoveryCodes).where(eq(recoveryCodes.personId, admin.id)),
  )
  if (admin.email !== null) mailInvitation(ctx.tx, ctx, admin, admin.email)
  ctx.work.wake()
}

/** To the address on the account, however it was spelt now. */
function mailInvitation(tx: Tx, services: Inviter, person: Person, email: string): void {
  const linkId = createLink(tx, services, person.id, 'invitar', null)
  const { language } = person
  queueMail(tx, services, { kind: 'invitacion', to: person.email ?? email, language, linkId })
}

/** A link to print on the node's own terminal: an invitation, or a reset for an admin who exists. */
export async function adminLink(
  tx: Tx,
  services: Inviter,
  email: string,
): Promise<{ link: Secret; person: Person }> {
  const person = (await adminByEmail(tx, email)) ?? (await insertAdmin(tx, services, email, 'es'))
  const expiresAt = new Date(services.now().getTime() + 3_600_000)
  const purpose = person.passwordHash === null ? 'invitar' : 'restablecer'
  return { link: newLinkUrl(services, createLink(tx, services, person.id, purpose, expiresAt)), person }
}

/** An admin by address, however it is spelt. */
export async function adminByEmail(tx: Tx, email: string): Promise<Person | undefined> {
  const admins = await tx
    .select()
    .from(persons)
    .where(and(eq(persons.role, 'admin')))
  return admins.find((row) => row.email !== null && emailKey(row.email) === emailKey(email))
}

/** A new admin without credentials. */
export async function insertAdmin(
  tx: Tx,
  services: Inviter,
  email: string | null,
  language: 'es' | 'en',
): Promise<Person> {
  const row: Person = {
    id: `per_${ulid(services.now(), services.random)}`,
    role: 'admin',
    email,
    language,
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
