import { and, asc, eq, lte } from 'drizzle-orm'
import * as v from 'valibot'
import { mirrors } from '../../schema/tables.ts'
import type { Db } from '../database.ts'
import { count, timestamp } from '../fields.ts'
import { wireTime } from '../page.ts'
import { UNVERIFIABLE_MS } from './recheck.ts'
import type { MirrorRow } from './states.ts'

const nullable = v.nullable

/** A mirrored zone as it is returned (contract section 6). */
export const mirrorShape = v.strictObject({
  zona: v.string(),
  cliente: v.string(),
  nodo: v.string(),
  estado: v.picklist([
    'comprobando',
    'en_cola',
    'sincronizando',
    'al_dia',
    'error',
    'conflicto',
    'perdida',
    'sin_cuota',
    'retirando',
    'retirada',
  ]),
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

/** Places in the queues by zone, from 1; a zone whose time has not come is not in it. */
export type Places = ReadonlyMap<string, number>

const SHOWN_PLACES = 10_000

/** The order in which the zones that are due will have their turn, node by node. */
export async function queuePlaces(db: Db, now: Date): Promise<Places> {
  const rows = await db
    .select({ zone: mirrors.zone, node: mirrors.node })
    .from(mirrors)
    .where(and(lte(mirrors.nextAt, now)))
    .orderBy(asc(mirrors.nextAt), asc(mirrors.zone))
    .limit(SHOWN_PLACES)
  const lengths = new Map<string, number>()
  const places = new Map<string, number>()
  for (const { zone, node } of rows) {
    const place = (lengths.get(node) ?? 0) + 1
    lengths.set(node, place)
    places.set(zone, place)
  }
  return places
}

/** The row on the wire. */
export function mirrorView(row: MirrorRow, places: Places, now: Date): MirrorView {
  const unheard =
    row.inconclusiveSince !== null && now.getTime() - row.inconclusiveSince.getTime() >= UNVERIFIABLE_MS
  const change = row.lastChange
  return {
    zona: row.zone,
    cliente: row.clientName,
    nodo: row.node,
    estado: row.state,
    motivo: row.reason ?? (unheard ? 'no_verificable' : null),
    proveedor: row.kind,
    servidores: row.servers,
    serie_espejada: row.serial,
    ultima_sincronizacion: wireTime(row.syncedAt),
    proxima: wireTime(row.nextAt),
    posicion: row.state === 'sincronizando' ? null : (places.get(row.zone) ?? null),
    comprobada: wireTime(row.checkedAt),
    ultimo_cambio: change && { creados: change.created, cambiados: change.changed, borrados: change.deleted },
    omitidos: row.omitted.map(({ name, type, reason }) => ({ nombre: name, tipo: type, motivo: reason })),
    respuestas: row.answers,
    error: row.error,
  }
}

/** The view of the mirror of one of the panel's zones, or null where it has none. */
export async function viewMirror(db: Db, zoneId: number, now: Date): Promise<MirrorView | null> {
  const row = await db.select().from(mirrors).where(eq(mirrors.zoneId, zoneId)).get()
  return row === undefined ? null : mirrorView(row, await queuePlaces(db, now), now)
}
