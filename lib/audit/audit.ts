import { audit } from '../../schema/tables.ts'
import type { Actor, AuditNote, Services } from '../endpoint/context.ts'
import type { Budget } from '../store/counters.ts'
import type { Db, Tx } from '../store/database.ts'
import type { Query } from '../store/reading.ts'
import { storedDetail } from './view.ts'

export type AuditEntry = {
  actor: Actor | { kind: 'system' }
  operation: string
  outcome: string
  requestId: string | null
  /** The peer's, or what a trusted proxy says. */
  address?: string
  note: AuditNote
}

/**
 * What anybody can send without being known, of which so many rows are kept an hour: rows are kept for good, and a
 * stranger with many addresses must not fill the database with them. The panel's log has each refused sign-in.
 */
const NOBODYS: Budget = { name: 'auditoria:nadie', limit: 500, windowSeconds: 3600 }

/** Whether a request that asks for a row gets one: all do that name somebody. */
export function hasRoom(
  { limits, now }: Pick<Services, 'limits' | 'now'>,
  { actor, note }: AuditEntry,
): boolean {
  const isNobodys = actor.kind === 'anonymous' && note.person === undefined && note.target === undefined
  return !isNobodys || limits.charge(NOBODYS, now()).allowed
}

/** Writes one audit row in the same transaction as the change that it describes. */
export function recordAudit(tx: Tx, services: Pick<Services, 'now'>, entry: AuditEntry): void {
  tx.later(auditRow(tx, services, entry))
}

/** The audit row as a statement for `tx.later(…)`. */
export function auditRow(tx: Db, services: Pick<Services, 'now'>, entry: AuditEntry): Query {
  const { client, target, detail, changes = [] } = entry.note
  const happened = entry.outcome === 'hecho' || entry.outcome === 'pedido'
  return tx.insert(audit).values({
    at: services.now(),
    ...actorColumns(entry.actor, entry.note.person),
    operation: entry.operation,
    clientName: client ?? null,
    target: target ?? null,
    outcome: entry.outcome,
    requestId: entry.requestId,
    address: entry.address ?? null,
    detail: storedDetail(detail, happened ? changes : []),
  })
}

/** Who did something, as it is stored; `person` is whom an anonymous request turned out to be from. */
export function actorColumns(actor: AuditEntry['actor'], person?: AuditNote['person']) {
  switch (actor.kind) {
    case 'token':
      return { actorKind: 'token' as const, actorId: actor.id, actorName: actor.name, impersonator: null }
    case 'session':
      return {
        actorKind: 'persona' as const,
        actorId: actor.personId,
        actorName: actor.email ?? actor.personId,
        impersonator: actor.impersonator,
      }
    case 'anonymous':
      if (person) {
        const actorName = person.email ?? person.id
        return { actorKind: 'persona' as const, actorId: person.id, actorName, impersonator: null }
      }
      return { actorKind: 'anonimo' as const, actorId: null, actorName: 'anonimo', impersonator: null }
    default:
      return { actorKind: 'sistema' as const, actorId: null, actorName: 'sistema', impersonator: null }
  }
}
