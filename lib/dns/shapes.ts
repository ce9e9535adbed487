import * as v from 'valibot'
import { count } from '../fields.ts'
import { mirrorShape } from '../mirror/view.ts'

/** A zone as it is returned (contract section 2). */
export const zoneShape = v.strictObject({
  zona: v.string(),
  cliente: v.string(),
  serie: count,
  publicada: v.boolean(),
  error: v.nullable(v.string()),
  registros: count,
  dnssec: v.strictObject({ activo: v.boolean(), ds: v.array(v.string()) }),
  espejo: v.nullable(mirrorShape),
})

/** An RRset as it is returned. */
export const rrsetShape = v.strictObject({
  nombre: v.string(),
  tipo: v.string(),
  ttl: count,
  valores: v.array(v.string()),
  origen: v.picklist(['sistema', 'usuario']),
})

export const zoneRecordsShape = v.strictObject({
  zona: v.string(),
  serie: count,
  datos: v.array(rrsetShape),
})

/** What an import did, or would do. */
export const importShape = v.strictObject({
  anadidos: count,
  cambiados: count,
  borrados: count,
  rechazados: v.array(v.strictObject({ linea: count, motivo: v.string() })),
})

/** What the path names; whether it is a name or a type that the zone takes is the zone's matter. */
export const nombre = v.pipe(v.string(), v.minLength(1, 'obligatorio'), v.maxLength(255, 'demasiado_largo'))
export const tipo = v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,20}$/, 'registro_invalido'), v.toUpperCase())

export type ZoneView = v.InferOutput<typeof zoneShape>
export type RRsetView = v.InferOutput<typeof rrsetShape>
