import type * as v from 'valibot'
import type { audit } from '../../schema/tables.ts'
import { wireTime } from '../endpoint/page.ts'
import type { auditShape } from './shapes.ts'

/** An entry of the audit trail as it is returned. */
export const auditView = (row: typeof audit.$inferSelect): v.InferOutput<typeof auditShape> => ({
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
  detalle: row.detail,
})
