import { and, eq, inArray } from 'drizzle-orm'
import { clients, copies } from '../../../schema/tables.ts'
import type { Tx } from '../../store/database.ts'
import { addressOf, type DestinationRow } from './destination.ts'

export type Place = Pick<DestinationRow, 'node' | 'kind' | 'url' | 'store'>

/**
 * What a change of a node's destination means for its clients' copies, in this order: those at `from` are now at `to`.
 * A store keeps its copies at whatever address it is entered; what was at the address is set aside under the id of its
 * own store, by which it is found again. Of a store whose id was never learnt only the address is known.
 */
export function decidePlaces(before: Place | null, after: Place | null): { from: string; to: string }[] {
  const aside =
    before !== null && before.store !== null ? [{ from: addressOf(before), to: before.store }] : []
  const found = after !== null && after.store !== null ? [{ from: after.store, to: addressOf(after) }] : []
  return [...aside, ...found]
}

/** Records where the copies of a node's clients are once its destination is another, or at another address. */
export function moveCopies(tx: Tx, before: Place | null, after: Place | null): void {
  const node = before?.node ?? after?.node ?? ''
  const own = tx.select({ id: clients.id }).from(clients).where(eq(clients.node, node))
  for (const { from, to } of decidePlaces(before, after)) {
    const there = and(eq(copies.destination, from), inArray(copies.clientId, own))
    tx.later(tx.update(copies).set({ destination: to }).where(there))
  }
}
