import { and, desc, eq, inArray, isNull, lt, notInArray } from 'drizzle-orm'
import {
  clients,
  persons,
  recoveryCodes,
  sessionBearers,
  sessions,
  signInSteps,
} from '../../schema/tables.ts'
import type { Services, WriteCtx } from '../endpoint/context.ts'
import { wireTime } from '../endpoint/page.ts'
import { createBearer } from '../identity/bearer.ts'
import { isActivated, type Person } from '../identity/decide.ts'
import { accountView } from '../identity/ways-view.ts'
import { decodeBase62, encodeBase62 } from '../secrets/base62.ts'
import { sha256 } from '../secrets/hash.ts'
import { clientWrites, requireRoom } from '../store/charge.ts'
import type { Db, Tx } from '../store/database.ts'
import { ulid } from '../store/ids.ts'
import type { Account, StepFacts, StepPurpose } from './decide.ts'
import { deviceCookie } from './devices.ts'
import { newRenewal, RENEWAL_MS } from './renewal.ts'
import { newTotpSecret, totpUri } from './totp.ts'

/** A session's bearer lives 15 minutes. */
export const BEARER_MS = 15 * 60_000
/** How many of a session's bearers stay known after they expired. */
const BEARERS_KEPT = 200
const STEP_MS = 10 * 60_000

/** Records in the audit row whose request this is, even if it is refused. */
export function auditAccount(
  { audit }: Pick<WriteCtx, 'audit'>,
  { person, client }: { person: Pick<Person, 'id'>; client: string | null },
): void {
  audit.target = person.id
  if (client !== null) audit.client = client
}

/** Counts a sign-in as one of its client's writes; 429 `espera` where it has none left. */
export function chargeSignIn(services: Pick<Services, 'config' | 'limits' | 'now'>, person: Person): void {
  if (person.clientId !== null) requireRoom(services, clientWrites(services.config, person.clientId))
}

/** Opens a session for a person who has shown everything; answers its bearer and the renewal cookie. */
export function openSession(ctx: WriteCtx, { person, client }: Account) {
  const now = ctx.now()
  const { row, header } = newRenewal(ctx.random)
  const id = `ses_${ulid(now, ctx.random)}`
  ctx.tx.later(
    ctx.tx.insert(sessions).values({
      id,
      personId: person.id,
      ...row,
      createdAt: now,
      renewedAt: now,
      expiresAt: new Date(now.getTime() + RENEWAL_MS),
      address: ctx.request.address,
      agent: ctx.request.agent,
    }),
    ctx.tx.update(persons).set({ lastLoginAt: now }).where(eq(persons.id, person.id)),
  )
  ctx.audit.person = { id: person.id, email: person.email }
  auditAccount(ctx, { person, client })
  const bearer = enqueueSessionBearer(ctx.tx, ctx, id)
  return {
    body: signedIn({ person, client }, bearer),
    cookies: [header, deviceCookie(ctx, person.id)],
  }
}

/** A fresh bearer for a session; the older ones run out by themselves, and the newest of those are still known. */
export function enqueueSessionBearer(tx: Tx, services: Pick<Services, 'now' | 'random'>, sessionId: string) {
  const { value, publicId, hash } = createBearer('session', services.random)
  const now = services.now()
  const expiresAt = new Date(now.getTime() + BEARER_MS)
  const theirs = eq(sessionBearers.sessionId, sessionId)
  const newest = tx
    .select({ id: sessionBearers.publicId })
    .from(sessionBearers)
    .where(theirs)
    .orderBy(desc(sessionBearers.expiresAt))
    .limit(BEARERS_KEPT)
  tx.later(
    tx
      .delete(sessionBearers)
      .where(and(theirs, lt(sessionBearers.expiresAt, now), notInArray(sessionBearers.publicId, newest))),
    tx.insert(sessionBearers).values({ publicId, hash, sessionId, expiresAt }),
  )
  return { sesion: value.reveal(), caduca: wireTime(expiresAt) }
}

/** The answer to a sign-in and to a renewal. */
export const signedIn = ({ person, client }: Account, bearer: { sesion: string; caduca: string }) => ({
  ...bearer,
  ...accountView(person, client),
})

/** A token for the next step of a half-done sign-in, good for ten minutes and nothing else. */
export function createStep(ctx: WriteCtx, personId: string, purpose: StepPurpose): string {
  const secret = ctx.random(32)
  const expiresAt = new Date(ctx.now().getTime() + STEP_MS)
  ctx.tx.later(ctx.tx.insert(signInSteps).values({ hash: sha256(secret), personId, purpose, expiresAt }))
  return encodeBase62(secret, 43)
}

/** The step that a token belongs to, its person, and the codes that could complete it; `requireStep` judges them. */
export async function stepFacts(db: Db, token: string): Promise<StepFacts> {
  const bytes = /^[0-9A-Za-z]{43}$/.test(token) ? decodeBase62(token, 32) : null
  if (!bytes) return { found: undefined, codes: [] }
  const hash = sha256(bytes)
  const people = db.select({ id: signInSteps.personId }).from(signInSteps).where(eq(signInSteps.hash, hash))
  const [found, codes] = await Promise.all([
    db
      .select({ step: signInSteps, person: persons, client: clients.name })
      .from(signInSteps)
      .innerJoin(persons, eq(persons.id, signInSteps.personId))
      .leftJoin(clients, eq(clients.id, persons.clientId))
      .where(eq(signInSteps.hash, hash))
      .get(),
    db
      .select({ hash: recoveryCodes.hash })
      .from(recoveryCodes)
      .where(and(inArray(recoveryCodes.personId, people), isNull(recoveryCodes.usedAt))),
  ])
  return { found, codes: codes.map(({ hash }) => hash) }
}

/** Ends all half-done sign-ins of a person: one was completed, or its password changed. */
export function endSteps(tx: Tx, personId: string): void {
  tx.later(tx.delete(signInSteps).where(eq(signInSteps.personId, personId)))
}

/** The next step after a right password: the second factor, or its enrolment if there is none yet. */
export async function nextStep(ctx: WriteCtx, person: Person) {
  if (isActivated(person) || person.totpSecret !== null) {
    return { paso: 'segundo_factor' as const, paso_token: createStep(ctx, person.id, 'segundo_factor') }
  }
  const paso_token = createStep(ctx, person.id, 'inscribir')
  return { paso: 'inscribir' as const, paso_token, totp: await offerFactor(ctx, person) }
}

/** Creates a TOTP secret, which takes effect once one of its codes has been entered; it is stored sealed. */
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
