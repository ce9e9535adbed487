import { eq } from 'drizzle-orm'
import { clients, persons, sessions, tokens } from '../../schema/tables.ts'
import type { Db } from '../store/database.ts'
import type { Actor } from './context.ts'
import { AppError } from './errors.ts'
import type { Handler } from './handler.ts'

/** Whether the actor is a customer, or an admin who has opened a session in a customer's account. */
export const isCustomer = (actor: Actor): actor is Extract<Actor, { kind: 'session' }> =>
  actor.kind === 'session' && actor.role === 'client'

/** What a handler says of who may call it. */
type Rules = Pick<Handler, 'access' | 'method' | 'whileSuspended'>

/** Refuses an actor that the handler's `access` does not name; runs before any of the body is read. */
export function authorise(handler: Rules, actor: Actor): void {
  const { access } = handler
  if (access.kind !== 'bearer') return
  if (actor.kind === 'token') {
    if (access.token) return
    throw new AppError('no_con_token')
  }
  if (actor.kind !== 'session') throw new AppError('prohibido')
  if (actor.role === 'admin' ? !access.admin : !access.client) throw new AppError('prohibido')
  // Operations closed to tokens concern credentials, and an impersonating admin must not touch those either.
  if (actor.impersonator && !access.token && handler.method !== 'GET') throw new AppError('prohibido')
  if (actor.client && actor.client.state !== 'activo' && !handler.whileSuspended) {
    throw new AppError(handler.method === 'GET' ? 'prohibido' : 'cliente_suspendido')
  }
}

/**
 * Checks the caller again in the transaction of a change: it may have been revoked or disabled since its bearer was
 * looked up. Otherwise a token that an admin creates while being disabled would outlive the admin.
 */
export async function requireStanding(tx: Db, handler: Rules, actor: Actor): Promise<void> {
  if (actor.kind === 'token') {
    const row = await tx
      .select({ revokedAt: tokens.revokedAt })
      .from(tokens)
      .where(eq(tokens.id, actor.id))
      .get()
    if (!row || row.revokedAt) throw new AppError('token_revocado')
  }
  if (actor.kind !== 'session') return
  const row = await tx
    .select({ endedAt: sessions.endedAt, active: persons.active, state: clients.state })
    .from(sessions)
    .innerJoin(persons, eq(persons.id, sessions.personId))
    .leftJoin(clients, eq(clients.id, persons.clientId))
    .where(eq(sessions.id, actor.id))
    .get()
  if (!row || row.endedAt || !row.active) throw new AppError('sesion_terminada')
  if (actor.client && row.state)
    authorise(handler, { ...actor, client: { ...actor.client, state: row.state } })
}

/** Refuses a bearer that was good when its request began and has expired since. */
export function requireUnexpired(actor: Actor, now: Date): void {
  if (actor.kind === 'token' && now.toISOString().slice(0, 10) > actor.expiresOn)
    throw new AppError('token_caducado')
  if (actor.kind === 'session' && now >= actor.expiresAt) throw new AppError('sesion_caducada')
}
