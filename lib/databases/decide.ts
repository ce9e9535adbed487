import type { databases } from '../../schema/tables.ts'
import { type Client, requireChangeable } from '../clients/decide.ts'
import { AppError, noSpace } from '../endpoint/errors.ts'
import { type KnownNode, type NodeFacts, nodeOf, requireThere } from '../nodes/decide.ts'
import { type Plan, requireFunction, requireRoom } from '../plans/decide.ts'
import type { Room } from '../plans/room.ts'
import { tooManyAccounts } from './errors.ts'

export type Database = typeof databases.$inferSelect

/** What a new base stands on. */
export type NewDatabaseFacts = {
  /** The base that has the name, whoever it belongs to. */
  existing: Database | undefined
  room: Room
  nodes: NodeFacts
  exhausted: 'disco' | 'inodos' | null
}

/** Whether a base is made; false where the client has it already. */
export function decideDatabase(facts: NewDatabaseFacts, client: { id: number; node: string }): boolean {
  const { existing, room, nodes, exhausted } = facts
  requireFunction(room.plan, 'bases')
  if (existing) {
    if (existing.clientId !== client.id || existing.state === 'eliminando') throw new AppError('ya_existe')
    return false
  }
  requireThere(nodes, client.node)
  requireDatabases(nodeOf(nodes, client.node))
  requireRoom(room.plan, room.consumed, 'bases', 1)
  if (exhausted) throw noSpace(exhausted)
  return true
}

/** 409 `bases_no_disponible` where the node has none. */
function requireDatabases({ offers }: Pick<KnownNode, 'offers'>): void {
  if (offers && !offers.databases) throw new AppError('bases_no_disponible')
}

/** A base as it was measured, and what the plan allows all bases of its client together. */
export type MeasuredDatabase = { bytes: number; limit: number | null }

/** Whether a client's bases are over its plan, `free` bytes of their files aside: then nothing of them grows. */
export function isOver(held: readonly MeasuredDatabase[], free = 0): boolean {
  const limit = held[0]?.limit ?? null
  return limit !== null && held.reduce((sum, { bytes }) => sum + bytes, -free) > limit
}

/** A base to be changed here; 404 `base_no_existe` for one on its way out too. */
export function requireDatabase<F extends { database: Pick<Database, 'state'> }>(found: F | undefined): F {
  if (!found || found.database.state === 'eliminando') throw new AppError('base_no_existe')
  return found
}

/** A base whose content is asked for from `here`, null being a host without a node. */
export function decideDump(
  found: { database: Database; client: Client } | undefined,
  here: string | null,
): { database: Database; client: Client } {
  const known = requireDatabase(found)
  requireChangeable(known.client, here)
  if (known.client.state === 'suspendido') throw new AppError('cliente_suspendido')
  // Nothing of it is there yet.
  if (known.database.state === 'preparando') throw new AppError('no_disponible', { retryAfterSeconds: 5 })
  return known
}

/** A base that somebody wants to look into from `here`. */
export function decideView(
  found: { database: Database; client: Client; plan: Plan | null } | undefined,
  here: string | null,
): { database: Database; client: Client } {
  const known = decideDump(found, here)
  requireFunction(found?.plan ?? null, 'bases')
  return known
}

const ACCOUNTS_MAX = 10

/** A new account with a password: its name is nobody's, and its base has room for one more. */
export function decideAccount({ taken, count }: { taken: boolean; count: number }): void {
  if (taken) throw new AppError('ya_existe')
  if (count >= ACCOUNTS_MAX) throw tooManyAccounts(ACCOUNTS_MAX)
}
