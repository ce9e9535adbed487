import type * as v from 'valibot'
import type { audit } from '../../schema/tables.ts'
import { wireTime } from '../endpoint/page.ts'
import { type Change, shortDetail } from './changes.ts'
import type { auditShape } from './shapes.ts'

type View = v.InferOutput<typeof auditShape>

/** What an audit row holds beside its columns: the changes stand among the details. */
export function storedDetail(
  detail: Record<string, unknown> | undefined,
  changes: Change[],
): Record<string, unknown> | null {
  const short = detail && shortDetail(detail)
  if (changes.length === 0) return short ?? null
  const cambios = changes.map(({ field, before, after }) => ({ campo: field, de: before, a: after }))
  return { ...short, cambios }
}

/** An entry of the audit trail as it is returned. */
export function auditView(row: typeof audit.$inferSelect): View {
  const { cambios = null, ...detail } = row.detail ?? {}
  return {
    id: row.id,
    cuando: wireTime(row.at),
    actor: {
      tipo: row.actorKind,
      id: row.actorId,
      nombre: row.actorName,
      suplantado_por: row.impersonator,
    },
    operacion: row.operation,
    cliente: row.clientName,
    objeto: row.target,
    resultado: row.outcome,
    peticion: row.requestId,
    direccion: row.address,
    // Only `storedDetail` writes them.
    cambios: cambios as View['cambios'],
    detalle: Object.keys(detail).length === 0 ? null : detail,
  }
}
