import { eq, sql } from 'drizzle-orm'
import { clients, persons, sessionBearers, sessions, tokens } from '../../schema/tables.ts'
import { requireUnexpired } from '../endpoint/access.ts'
import type { Actor, Services } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { parseBearer, sameHash } from '../identity/bearer.ts'
import { Secret } from '../secrets/secret.ts'
import { addressKey, type Limits } from '../store/counters.ts'
import type { Db } from '../store/database.ts'
import { prepared } from '../store/prepared.ts'

const USE_SECONDS = 60

/** The value of an `Authorization: Bearer` header; null if there is none, and then the answer is the empty 404. */
export function bearerOf(authorization: string | null): string | null {
  const value = /^bearer +([^\s,]+) *$/i.exec(authorization ?? '')?.[1]
  return value ?? null
}

/**
 * Who a bearer belongs to (docs/api.md, "Bearers"). A bearer that once worked is refused without being
 * counted. Any other counts as an attack by its address, which is locked out after ten in a minute. The look-up comes
 * before the lock-out, so that a valid bearer works even from a locked-out address. `later` gets the write that notes
 * a token's use, which no answer waits for.
 */
export async function authenticate(
  services: Services,
  value: string,
  address: string,
  later: (work: Promise<unknown>) => void = () => {},
): Promise<Actor> {
  const parsed = parseBearer(value, services.sha256)
  const actor =
    parsed && (parsed.kind === 'token' ? await token(services, parsed) : await session(services, parsed))
  if (actor) {
    const noted = noteUse(services, actor, address)
    if (noted) later(noted)
    return actor
  }
  // A bearer with a wrong checksum costs no query, neither a look-up nor a shared count.
  return refuseBearer(services, parsed ? services.limits : services.limits.local, address)
}

/** Counts an attack for its address and refuses it: 401, or 429 after too many. */
export async function refuseBearer(services: Services, limits: Limits, address: string): Promise<never> {
  const now = services.now()
  const name = `strike:${addressKey(address)}`
  const { strikesPerMinute } = services.config.limits
  const waiting = await limits.lockedSeconds([name], now)
  if (waiting > 0) throw new AppError('espera', { retryAfterSeconds: waiting })
  await limits.strike([{ name, limit: strikesPerMinute }], now)
  services.log('warn', 'bearer refused', { address })
  throw new AppError('credencial_invalida')
}

/** Notes when and from where a token was last used, to the minute: a write for each request would cost too much. */
function noteUse(services: Services, actor: Actor, address: string): Promise<void> | null {
  if (actor.kind !== 'token') return null
  const now = services.now()
  if (!services.limits.charge({ name: `use:${actor.id}`, limit: 1, windowSeconds: USE_SECONDS }, now).allowed)
    return null
  const set = { lastUsedAt: now, lastUsedFrom: address }
  return services.db
    .write(async (tx) => tx.later(tx.update(tokens).set(set).where(eq(tokens.id, actor.id))))
    .catch(() => {})
}

type Parsed = NonNullable<ReturnType<typeof parseBearer>>

async function token(services: Services, bearer: Parsed): Promise<Actor | null> {
  const { publicId } = bearer
  const row = await sought(services, ({ token }) => token.get({ publicId }))
  if (!row || !sameHash(row.hash, bearer.hash)) return null
  if (row.revokedAt) throw new AppError('token_revocado')
  const actor = { kind: 'token' as const, id: row.id, name: row.name, expiresOn: row.expiresOn }
  requireUnexpired(actor, services.now())
  return actor
}

async function session(services: Services, bearer: Parsed): Promise<Actor | null> {
  const { publicId } = bearer
  const row = await sought(services, ({ session }) => session.get({ publicId }))
  if (!row || !sameHash(row.hash, bearer.hash)) return null
  if (row.endedAt || !row.active) throw new AppError('sesion_terminada')
  if (services.now() >= row.expiresAt) throw new AppError('sesion_caducada')
  const { clientId, clientName, clientState } = row
  return {
    kind: 'session',
    id: row.sessionId,
    role: row.role,
    personId: row.personId,
    email: row.email,
    login: {
      passwordHash: row.passwordHash === null ? null : new Secret(row.passwordHash),
    },
    client:
      clientId && clientName && clientState ? { id: clientId, name: clientName, state: clientState } : null,
    impersonator: row.impersonatorEmail,
    expiresAt: row.expiresAt,
  }
}

/** A failing disk must neither refuse a valid bearer nor lock its address out. */
async function sought<T>(
  { db }: Services,
  find: (queries: ReturnType<typeof prepare>) => Promise<T | undefined>,
): Promise<T | undefined> {
  const look = () => find(prepared(db.read, 'bearers', () => prepare(db.read)))
  const row = await look()
  return row === undefined && db.renew() ? look() : row
}

function prepare(db: Db) {
  return {
    token: db
      .select({
        id: tokens.id,
        hash: tokens.hash,
        name: tokens.name,
        expiresOn: tokens.expiresOn,
        revokedAt: tokens.revokedAt,
      })
      .from(tokens)
      .where(eq(tokens.publicId, sql.placeholder('publicId')))
      .limit(1)
      .prepare(),
    session: db
      .select({
        hash: sessionBearers.hash,
        expiresAt: sessionBearers.expiresAt,
        sessionId: sessions.id,
        endedAt: sessions.endedAt,
        impersonatorEmail: sessions.impersonatorEmail,
        personId: persons.id,
        role: persons.role,
        email: persons.email,
        active: persons.active,
        passwordHash: persons.passwordHash,
        clientId: clients.id,
        clientName: clients.name,
        clientState: clients.state,
      })
      .from(sessionBearers)
      .innerJoin(sessions, eq(sessions.id, sessionBearers.sessionId))
      .innerJoin(persons, eq(persons.id, sessions.personId))
      .leftJoin(clients, eq(clients.id, persons.clientId))
      .where(eq(sessionBearers.publicId, sql.placeholder('publicId')))
      .limit(1)
      .prepare(),
  }
}
