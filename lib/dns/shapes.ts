import * as v from 'valibot'
import { DELEGATIONS } from '../../schema/zones.ts'
import { type Change, changesOf } from '../audit/changes.ts'
import { count, named, timestamp, told } from '../endpoint/fields.ts'
import { mirrorShape } from '../mirror/view.ts'
import { TTL_MAX_SECONDS, TTL_MIN_SECONDS } from './rrset.ts'

export const delegationShape = named(
  'Delegacion',
  "Where a zone's parents lead, as the recursive resolvers see it: asked soon after it is made and daily.",
  v.strictObject({
    estado: told(
      v.picklist(DELEGATIONS),
      '`aqui`: to the name servers of this server alone. `parcial`: to others too. `fuera`: only to others, so that nobody asks this zone. `ninguna`: no name server is named for it. `sin_respuesta`: those that are named did not answer, or the resolvers did not.',
      'aqui',
    ),
    servidores: told(v.array(v.string()), 'The name servers that were seen.', ['ns1.panel.net']),
    esperados: told(v.array(v.string()), 'Those to set at the registrar.', [
      'ns1.panel.net',
      'ns2.panel.net',
    ]),
    comprobada: told(timestamp, 'When that was.', '2026-11-21T09:30:00.000Z'),
  }),
)

/** A zone as it is returned. */
export const zoneShape = named(
  'Zona',
  'A DNS zone that the panel publishes.',
  v.strictObject({
    zona: told(v.string(), 'Its name, its key, in A-labels.', 'ejemplo.es'),
    cliente: told(v.string(), 'The client that holds it.', 'acme'),
    serie: told(count, 'The serial of its SOA.', 2026112101),
    publicada: told(v.boolean(), 'Whether the name server answers for it as it is.', true),
    error: told(v.nullable(v.string()), 'What keeps it from being published.', null),
    registros: told(count, 'How many record sets it has, the SOA aside.', 9),
    dnssec: told(
      v.strictObject({
        activo: told(v.boolean(), 'Whether it is signed.', false),
        ds: told(v.array(v.string()), 'The DS records for the registrar.', []),
      }),
      'Its signing.',
    ),
    probado: told(
      v.boolean(),
      "Whether it was shown that the name is its client's or leads to this server; false for what a token or an admin granted, until the resolvers show it. What is proven stays so.",
      true,
    ),
    delegacion: told(v.nullable(delegationShape), 'Where its parents lead; null before the first look.'),
    espejo: told(v.nullable(mirrorShape), 'Its copy at the DNS provider; null without one.'),
  }),
)

/** An RRset as it is returned. */
export const rrsetShape = named(
  'RRset',
  'All records of one name and type.',
  v.strictObject({
    nombre: told(v.string(), 'Relative to the zone; `@` is the zone itself.', 'www'),
    tipo: told(v.string(), 'The type of the records.', 'A'),
    ttl: told(count, 'Seconds for which resolvers keep it.', 3600),
    valores: told(v.array(v.string()), 'The values as in a zone file.', ['192.0.2.1']),
    origen: told(
      v.picklist(['sistema', 'usuario']),
      '`sistema`: the panel keeps it up to date until somebody changes it.',
      'sistema',
    ),
  }),
)

export const zoneRecordsShape = named(
  'Registros',
  'The records of a zone.',
  v.strictObject({
    zona: told(v.string(), 'The zone.', 'ejemplo.es'),
    serie: told(count, 'The serial of its SOA.', 2026112101),
    datos: told(v.array(rrsetShape), 'All of them, the SOA aside.'),
  }),
)

/** What an import did, or would do. */
export const importShape = named(
  'Importacion',
  'What an import did, or would do.',
  v.strictObject({
    anadidos: told(count, 'Record sets that are new.', 2),
    cambiados: told(count, 'Record sets with other values or another TTL.', 1),
    borrados: told(count, 'Record sets that are gone.', 0),
    rechazados: told(
      v.array(
        v.strictObject({
          linea: told(count, 'The line of the file.', 12),
          motivo: told(v.string(), 'Why.', 'Unknown record type.'),
        }),
      ),
      'The lines that were refused; where there is one, nothing was changed.',
    ),
  }),
)

/** Bounded by `rrset.ts`, which names the refusal. */
export const ttl = told(count, 'Seconds for which resolvers keep it.', 3600, {
  minimum: TTL_MIN_SECONDS,
  maximum: TTL_MAX_SECONDS,
})
/** What the path names; whether it is a name or a type that the zone takes is the zone's matter. */
export const nombre = told(
  v.pipe(v.string(), v.minLength(1, 'obligatorio'), v.maxLength(255, 'demasiado_largo')),
  'The name of the records, relative to the zone; `@` is the zone itself.',
  'www',
)
export const tipo = v.pipe(
  told(
    v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,20}$/, 'registro_invalido')),
    'The type of the records.',
    'A',
  ),
  v.toUpperCase(),
)

export type ZoneView = v.InferOutput<typeof zoneShape>
export type RRsetView = v.InferOutput<typeof rrsetShape>

type Held = { ttl: number; values: string[] }

/** What an audit row tells of a record set that was put or deleted. */
export const recordChanges = (before: Held | undefined, after: Held | undefined): Change[] =>
  changesOf(heldView(before), heldView(after))

const heldView = (held: Held | undefined) => ({ ttl: held?.ttl ?? null, valores: held?.values ?? [] })
