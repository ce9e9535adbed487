import { and, eq, isNull } from 'drizzle-orm'
import { clients, persons, sessionBearers, sessions, signInSteps } from '../schema/tables.ts'
import { decodeBase62, encodeBase62 } from './base62.ts'
import { createBearer } from './bearer.ts'
import type { Ctx, Services, WriteCtx } from './context.ts'
import type { Tx } from './database.ts'
import { deviceCookie } from './devices.ts'
import { AppError } from './errors.ts'
import { sha256 } from './hash.ts'
import { ulid } from './ids.ts'
import { isActivated, type Person } from './logins.ts'
import { wireTime } from './page.ts'
import { newRenewal, RENEWAL_MS } from './renewal.ts'
import { newTotpSecret, totpUri } from './totp.ts'

/** A session's bearer lives 15 minutes. */
export const BEARER_MS = 15 * 60_000
export const STEP_MS = 10 * 60_000

/** Opens a session for a person who has shown everything; answers its bearer and the renewal cookie. */
export async function openSession(ctx: WriteCtx, person: Person) {
  const now = ctx.now()
  const { row, header } = newRenewal(ctx.random)
  const id = `ses_${ulid(now, ctx.random)}`
  await ctx.tx.insert(sessions).values({
    id,
    personId: person.id,
    ...row,
    createdAt: now,
    renewedAt: now,
    expiresAt: new Date(now.getTime() + RENEWAL_MS),
    address: ctx.request.address,
    agent: ctx.request.agent,
  })
  ctx.tx.later(ctx.tx.update(persons).set({ lastLoginAt: now }).where(eq(persons.id, person.id)))
  const bearer = await newSessionBearer(ctx.tx, ctx, id)
  return {
    body: await signedIn(ctx, person, bearer),
    cookies: [header, deviceCookie(ctx, person.id)],
  }
}

/** A fresh bearer for a session; the older ones run out by themselves. */
export async function newSessionBearer(
  tx: Tx,
  services: Pick<Services, 'now' | 'random'>,
  sessionId: string,
) {
  const { value, publicId, hash } = createBearer('session', services.random)
  const expiresAt = new Date(services.now().getTime() + BEARER_MS)
  tx.later(tx.insert(sessionBearers).values({ publicId, hash, sessionId, expiresAt }))
  return { sesion: value.reveal(), caduca: wireTime(expiresAt) }
}

/** What a sign-in and a renewal answer. */
export async function signedIn(ctx: Ctx, person: Person, bearer: { sesion: string; caduca: string }) {
  const client = person.clientId
    ? await ctx.tx.select({ name: clients.name }).from(clients).where(eq(clients.id, person.clientId)).get()
    : undefined
  return { ...bearer, persona: { correo: person.email, rol: person.role, cliente: client?.name ?? null } }
}

type StepPurpose = (typeof signInSteps.$inferSelect)['purpose']

/** A token for the next step of a half-done sign-in, good for ten minutes and nothing else. */
export function createStep(ctx: WriteCtx, personId: string, purpose: StepPurpose): string {
  const secret = ctx.random(32)
  const expiresAt = new Date(ctx.now().getTime() + STEP_MS)
  ctx.tx.later(ctx.tx.insert(signInSteps).values({ hash: sha256(secret), personId, purpose, expiresAt }))
  return encodeBase62(secret, 43)
}

/** The person of a live step token; 401 `paso_invalido` for anything else. */
export async function findStep(ctx: WriteCtx, token: string, purposes: StepPurpose[]): Promise<Person> {
  const bytes = /^[0-9A-Za-z]{43}$/.test(token) ? decodeBase62(token, 32) : null
  const row =
    bytes &&
    (await ctx.tx
      .select({ step: signInSteps, person: persons })
      .from(signInSteps)
      .innerJoin(persons, eq(persons.id, signInSteps.personId))
      .where(eq(signInSteps.hash, sha256(bytes)))
      .get())
  const live = row && row.step.expiresAt > ctx.now() && row.person.active
  if (!live || !purposes.includes(row.step.purpose)) throw new AppError('paso_invalido')
  return row.person
}

/** Ends all half-done sign-ins of a person: one was completed, or its password changed. */
export function endSteps(tx: Tx, personId: string): void {
  tx.later(tx.delete(signInSteps).where(eq(signInSteps.personId, personId)))
}

/** What a right password leads to: the second factor, or its enrolment where there is none yet. */
export async function nextStep(ctx: WriteCtx, person: Person) {
  if (isActivated(person) || person.totpSecret !== null) {
    return { paso: 'segundo_factor' as const, paso_token: createStep(ctx, person.id, 'segundo_factor') }
  }
  const paso_token = createStep(ctx, person.id, 'inscribir')
  return { paso: 'inscribir' as const, paso_token, totp: await offerFactor(ctx, person) }
}

/** Makes a TOTP secret that is not in force until a code of it was shown; it is kept sealed. */
export async function offerFactor(ctx: WriteCtx, person: Person): Promise<{ secreto: string; uri: string }> {
  const secreto = newTotpSecret(ctx.random)
  const sealed = await ctx.keys.seal(totpPlace(person.id), secreto, ctx.random)
  ctx.tx.later(ctx.tx.update(persons).set({ totpPending: sealed }).where(eq(persons.id, person.id)))
  return { secreto, uri: totpUri(secreto, person.email ?? 'admin', ctx.config.host) }
}

/** Where a person's TOTP secret is stored: the additional data of its seal. */
export const totpPlace = (personId: string) => `persons/${personId}/totp`

/** Sessions of a person that are still open. */
export const openSessionsOf = (personId: string) =>
  and(eq(sessions.personId, personId), isNull(sessions.endedAt))
