import type { Actor } from './context.ts'
import { AppError } from './errors.ts'
import type { Handler } from './handler.ts'

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
  // What no token may do concerns credentials, and an impersonating admin must not touch those either.
  if (actor.impersonator && !access.token && handler.method !== 'GET') throw new AppError('prohibido')
  if (actor.client && actor.client.state !== 'activo' && !handler.whileSuspended) {
    throw new AppError(handler.method === 'GET' ? 'prohibido' : 'cliente_suspendido')
  }
}
