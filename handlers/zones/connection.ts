import * as v from 'valibot'
import { delegationShape } from '../../lib/dns/shapes.ts'
import { domain, named, timestamp, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { wireTime } from '../../lib/endpoint/page.ts'
import { zoneConnectionOf } from '../../lib/proof/zone-connection.ts'
import { DS_STATES } from '../../schema/states.ts'

const { estado, servidores, esperados } = delegationShape.entries
const EXAMPLE = '12345 13 2 0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9'

export default handler({
  method: 'GET',
  path: '/zonas/:zona/conexion',
  access: allow('token', 'admin', 'client'),
  summary: "What a zone's parent says of it now",
  description:
    'Name servers and DS records, asked of recursive resolvers now, never of the panel’s own DNS. At most 30 times a minute by each caller.',
  params: v.strictObject({ zona: domain }),
  output: named(
    'ConexionDeZona',
    'What the parent of a zone says of it.',
    v.strictObject({
      zona: told(v.string(), 'The zone.', 'ejemplo.es'),
      delegacion: told(v.strictObject({ estado, servidores, esperados }), 'Its name servers.'),
      ds: told(
        v.strictObject({
          estado: told(
            v.picklist(DS_STATES),
            '`correcto`: those of its keys. `ausente`: it is signed, and the parent has none. `de_mas`: others beside its own. `distinto`: only others, so that validating resolvers refuse the zone. `sin_firmar`: neither signed nor any there. `sobra`: it is not signed, and the parent has some, with the same effect. `sin_respuesta`: no resolver could tell.',
            'correcto',
          ),
          vistos: told(v.array(v.string()), 'Those that the parent has.', [EXAMPLE]),
          esperados: told(v.array(v.string()), 'Those of its keys.', [EXAMPLE]),
        }),
        'Its DS records.',
      ),
      comprobada: told(timestamp, 'When the resolvers were asked.', '2026-11-21T09:30:00.000Z'),
    }),
  ),
  errors: ['zona_no_existe'],
  prepare: (services, { params }, ctx) => zoneConnectionOf(services, ctx, params.zona),
  run: async ({ now }, { params }, { delegation, expected, ds }) =>
    ok({
      zona: params.zona,
      delegacion: { estado: delegation.state, servidores: delegation.servers, esperados: expected },
      ds: { estado: ds.state, vistos: ds.seen, esperados: ds.wanted },
      comprobada: wireTime(now()),
    }),
})
