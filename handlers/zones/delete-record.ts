import * as v from 'valibot'
import { decideDelete } from '../../lib/dns/decide-records.ts'
import { queueRecords, recordFacts } from '../../lib/dns/records.ts'
import { nombre, recordChanges, rrsetShape, tipo } from '../../lib/dns/shapes.ts'
import { etagOf, rrsetView, ruled } from '../../lib/dns/zones.ts'
import { domain } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'

export default handler({
  method: 'DELETE',
  path: '/zonas/:zona/registros/:nombre/:tipo',
  access: allow('token', 'admin', 'client'),
  summary: 'Delete one record set of a zone',
  description: 'Answers what was deleted. `If-Match` is honoured.',
  params: v.strictObject({ zona: domain, nombre, tipo }),
  etag: true,
  ifMatch: true,
  output: rrsetShape,
  errors: ['zona_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose', 'registro_no_existe'],
  async run(ctx, { params }) {
    const facts = await recordFacts(ctx, params.zona)
    ctx.audit.detail = { nombre: params.nombre, tipo: params.tipo }
    const at = { name: params.nombre, type: params.tipo }
    const change = ruled(ctx, () => decideDelete(facts, at, ctx.now()))
    ctx.audit.changes = recordChanges(change.rrset, undefined)
    ctx.tx.later(...queueRecords(ctx, facts, change))
    return ok(rrsetView(change.rrset), { etag: etagOf({ ...facts.zone, serial: change.serial }) })
  },
  settled: async (_ctx, _input, answer) => answer,
})
