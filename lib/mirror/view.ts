import { and, eq, inArray } from 'drizzle-orm'
import * as v from 'valibot'
import { MIRROR_STATES, VERDICTS } from '../../schema/states.ts'
import { mirrors, zones } from '../../schema/tables.ts'
import { count, named, timestamp, told } from '../endpoint/fields.ts'
import { wireTime } from '../endpoint/page.ts'
import type { Db } from '../store/database.ts'
import { type Reading, reading } from '../store/reading.ts'
import { storedFaultText } from '../text/stored-faults.ts'
import { placeColumn } from './order.ts'
import type { MirrorRow } from './states.ts'

const nullable = v.nullable

/** A mirrored zone as it is returned (docs/api.md, "Mirrored zones"). */
export const mirrorShape = named(
  'Espejo',
  'The copy of a zone at the DNS provider.',
  v.strictObject({
    zona: told(v.string(), 'The zone.', 'ejemplo.es'),
    cliente: told(v.string(), 'The client that holds it.', 'acme'),
    nodo: told(v.string(), 'The node whose account it is in.', 'nodo1'),
    estado: told(
      v.picklist(MIRROR_STATES),
      '`al_dia`: the copy is the zone. `error`: tried again. `conflicto`: not provably ours, left alone. `perdida`: gone at the provider. `sin_cuota`: no room. `retirada`: dropped, see `motivo`.',
      'al_dia',
    ),
    motivo: told(nullable(v.string()), 'Why it was dropped.', null),
    proveedor: told(v.string(), 'The provider.', 'cloudflare'),
    servidores: told(v.array(v.string()), 'The name servers to enter at the registrar.', [
      'ana.ns.cloudflare.com',
    ]),
    serie_espejada: told(nullable(count), 'The serial that was last copied.', 2026112101),
    ultima_sincronizacion: told(nullable(timestamp), 'When.', '2026-11-21T09:30:00.000Z'),
    proxima: told(nullable(timestamp), 'When it is compared next.', '2026-11-22T09:30:00.000Z'),
    posicion: told(nullable(count), 'Its place in the queue.', null),
    comprobada: told(
      nullable(timestamp),
      'When it was last asked where the zone resolves.',
      '2026-11-21T09:30:00.000Z',
    ),
    ultimo_cambio: told(
      nullable(
        v.strictObject({
          creados: told(count, 'Records made.', 2),
          cambiados: told(count, 'Records changed.', 1),
          borrados: told(count, 'Records deleted.', 0),
        }),
      ),
      'What the last synchronisation did.',
    ),
    omitidos: told(
      v.array(
        v.strictObject({
          nombre: told(v.string(), 'The name.', '_a'),
          tipo: told(v.string(), 'The type.', 'TXT'),
          motivo: told(v.string(), 'Why.', 'tipo_no_admitido'),
        }),
      ),
      'Record sets that the provider cannot hold.',
    ),
    respuestas: told(
      v.array(
        v.strictObject({
          resolver: told(v.string(), 'The resolver.', 'https://dns.example/dns-query'),
          resultado: told(
            v.picklist(VERDICTS),
            'Whether the zone resolves to this server, by its answer.',
            'aqui',
          ),
          visto: told(v.array(v.string()), 'The addresses that it told.', ['192.0.2.1']),
        }),
      ),
      'What the resolvers last said.',
    ),
    error: told(nullable(v.string()), 'Why the last attempt failed.', null),
  }),
)
export type MirrorView = v.InferOutput<typeof mirrorShape>

/** A row with its rank among all that wait on its node, from 1. */
export type RankedMirror = { row: MirrorRow; place: number | null }

/** All that a view of mirrors is selected from. */
export function selectMirrors(db: Db, now: Date) {
  return db.select({ row: mirrors, place: placeColumn(now) }).from(mirrors)
}

const WAITING: readonly MirrorRow['state'][] = ['comprobando', 'en_cola', 'retirando']

/** The row on the wire. */
export function mirrorView({ row, place }: RankedMirror, language: 'es' | 'en'): MirrorView {
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
    error: storedFaultText(row.error, language),
  }
}

/** The mirror of the panel's zone of this name, for where the zone itself is not known yet. */
export function mirrorNamed(db: Db, name: string, now: Date): Reading<RankedMirror | undefined> {
  const present = db.select({ id: zones.id }).from(zones).where(eq(zones.name, name))
  const query = selectMirrors(db, now).where(and(eq(mirrors.zone, name), inArray(mirrors.zoneId, present)))
  return reading(query, ([row]) => row)
}
