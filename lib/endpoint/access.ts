import { eq } from 'drizzle-orm'
import { clients, persons, sessions, tokens } from '../../schema/tables.ts'
import type { Db } from '../store/database.ts'
import type { Actor } from './context.ts'
import { AppError } from './errors.ts'
import type { Handler } from './handler.ts'

/** Whether it is a client's own person, or an admin who has opened a session as one. */
export const isCustomer = (actor: Actor): actor is Extract<Actor, { kind: 'session' }> =>
  actor.kind === 'session' && actor.role === 'client'

/** Refuses an actor that a handler's declaration does not name; runs before anything is read of the body. */
export function authorise(handler: Handler, actor: Actor): void {
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
 * Looks again, in the transaction of a change, whether its caller still is who it was when its bearer was looked up,
 * and still may: a token that an admin makes while it is being disabled would else outlive it.
 */
export async function requireStanding(tx: Db, handler: Handler, actor: Actor): Promise<void> {
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
