import { audit } from '../schema/tables.ts'
import type { Actor, AuditNote, Services } from './context.ts'
import type { Tx } from './database.ts'

export type AuditEntry = {
  actor: Actor | { kind: 'system' }
  operation: string
  outcome: string
  requestId: string | null
  note: AuditNote
}

/** Writes one audit row in the transaction of the change that it tells of. */
export function recordAudit(tx: Tx, services: Services, entry: AuditEntry): void {
  const { client, target, detail } = entry.note
  tx.later(
    tx.insert(audit).values({
      at: services.now(),
      ...actorColumns(entry.actor),
      operation: entry.operation,
      clientName: client ?? null,
      target: target ?? null,
      outcome: entry.outcome,
      requestId: entry.requestId,
      detail: detail ?? null,
    }),
  )
}

function actorColumns(actor: AuditEntry['actor']) {
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
      return { actorKind: 'anonimo' as const, actorId: null, actorName: 'anonimo', impersonator: null }
    default:
      return { actorKind: 'sistema' as const, actorId: null, actorName: 'sistema', impersonator: null }
  }
}
