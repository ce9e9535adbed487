import * as v from 'valibot'
import { decidePut } from '../../lib/dns/decide-records.ts'
import { queueRecords, recordFacts } from '../../lib/dns/records.ts'
import { nombre, recordChanges, rrsetShape, tipo, ttl } from '../../lib/dns/shapes.ts'
import { etagOf, rrsetView, ruled } from '../../lib/dns/zones.ts'
import { domain, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'

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
    const facts = await recordFacts(ctx, params.zona)
    ctx.audit.detail = { nombre: params.nombre, tipo: params.tipo }
    const wanted = { name: params.nombre, type: params.tipo, ttl: body.ttl, values: body.valores }
    const change = ruled(ctx, () => decidePut(facts, wanted, ctx.now()))
    const old = facts.records.find(
      ({ name, type }) => name === change.rrset.name && type === change.rrset.type,
    )
    ctx.audit.changes = recordChanges(old, change.rrset)
    ctx.tx.later(...queueRecords(ctx, facts, change))
    return ok(rrsetView(change.rrset), { etag: etagOf({ ...facts.zone, serial: change.serial }) })
  },
  settled: async (_ctx, _input, answer) => answer,
})
