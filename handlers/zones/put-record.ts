import * as v from 'valibot'
import { putRrset } from '../../lib/dns/records.ts'
import { nombre, rrsetShape, tipo, ttl } from '../../lib/dns/shapes.ts'
import { etagOf, requireMatch, rrsetView, zoneToChange } from '../../lib/dns/zones.ts'
import { domain, told } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'

export default handler({
  method: 'PUT',
  path: '/zonas/:zona/registros/:nombre/:tipo',
  access: allow('token', 'admin', 'client'),
  summary: 'Set one record set of a zone',
  description:
    'Replaces what has that name and type. Values are in zone-file form, names relative to the zone or with a final dot; a text longer than 255 octets is split into strings. The answer holds the values as they are served. `If-Match` is honoured.',
  params: v.strictObject({ zona: domain, nombre, tipo }),
  body: v.strictObject({
    ttl,
    valores: told(
      v.pipe(v.array(v.string()), v.maxLength(1000, 'demasiados')),
      'The values as in a zone file.',
      ['192.0.2.1'],
    ),
  }),
  etag: true,
  ifMatch: true,
  output: rrsetShape,
  errors: ['zona_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose'],
  async run(ctx, { params, body }) {
    const { zone, client } = await zoneToChange(ctx, params.zona)
    requireMatch(ctx, zone)
    const wanted = { name: params.nombre, type: params.tipo, ttl: body.ttl, values: body.valores }
    ctx.audit.detail = { nombre: params.nombre, tipo: params.tipo }
    const { rrset, serial } = await putRrset(ctx, { zone, client }, wanted)
    return ok(rrsetView(rrset), { etag: etagOf({ id: zone.id, serial }) })
  },
  settled: async (_ctx, _input, answer) => answer,
})
