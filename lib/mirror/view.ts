import { and, eq, inArray } from 'drizzle-orm'
import * as v from 'valibot'
import { mirrors, zones } from '../../schema/tables.ts'
import type { Db } from '../database.ts'
import { count, timestamp } from '../fields.ts'
import { wireTime } from '../page.ts'
import { type Reading, reading } from '../reading.ts'
import { placeColumn } from './order.ts'
import type { MirrorRow } from './states.ts'

const nullable = v.nullable

/** A mirrored zone as it is returned (contract section 6). */
export const mirrorShape = v.strictObject({
  zona: v.string(),
  cliente: v.string(),
  nodo: v.string(),
  estado: v.picklist(mirrors.state.enumValues),
  motivo: nullable(v.string()),
  proveedor: v.string(),
  servidores: v.array(v.string()),
  serie_espejada: nullable(count),
  ultima_sincronizacion: nullable(timestamp),
  proxima: nullable(timestamp),
  posicion: nullable(count),
  comprobada: nullable(timestamp),
  ultimo_cambio: nullable(v.strictObject({ creados: count, cambiados: count, borrados: count })),
  omitidos: v.array(v.strictObject({ nombre: v.string(), tipo: v.string(), motivo: v.string() })),
  respuestas: v.array(
    v.strictObject({
      resolver: v.string(),
      resultado: v.picklist(['aqui', 'fuera', 'no_concluyente']),
      visto: v.array(v.string()),
    }),
  ),
  error: nullable(v.string()),
})
export type MirrorView = v.InferOutput<typeof mirrorShape>

/** A row with its rank among all that wait on its node, from 1. */
export type RankedMirror = { row: MirrorRow; place: number | null }

/** All that a view of mirrors is selected from. */
export function selectMirrors(db: Db, now: Date) {
  return db.select({ row: mirrors, place: placeColumn(now) }).from(mirrors)
}

const WAITING: readonly MirrorRow['state'][] = ['comprobando', 'en_cola', 'retirando']

/** The row on the wire. */
export function mirrorView({ row, place }: RankedMirror): MirrorView {
  const change = row.lastChange
  return {
    zona: row.zone,
    cliente: row.clientName,
    nodo: row.node,
    estado: row.state,
    motivo: row.reason,
    proveedor: row.kind,
    servidores: row.servers,
    serie_espejada: row.serial,
    ultima_sincronizacion: wireTime(row.syncedAt),
    // While it runs, the time in the row is only that of the lease.
    proxima: wireTime(row.state === 'sincronizando' ? null : row.nextAt),
    posicion: WAITING.includes(row.state) && row.nextAt !== null ? place : null,
    comprobada: wireTime(row.checkedAt),
    ultimo_cambio: change && { creados: change.created, cambiados: change.changed, borrados: change.deleted },
    omitidos: row.omitted.map(({ name, type, reason }) => ({ nombre: name, tipo: type, motivo: reason })),
    respuestas: row.answers,
    error: row.error,
  }
}

/** The mirror of the panel's zone of this name, for where the zone itself is not known yet. */
export function mirrorNamed(db: Db, name: string, now: Date): Reading<RankedMirror | undefined> {
  const present = db.select({ id: zones.id }).from(zones).where(eq(zones.name, name))
  const query = selectMirrors(db, now).where(and(eq(mirrors.zone, name), inArray(mirrors.zoneId, present)))
  return reading(query, ([row]) => row)
}
