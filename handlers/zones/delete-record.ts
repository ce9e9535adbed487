import * as v from 'valibot'
import { deleteRrset } from '../../lib/dns/records.ts'
import { nombre, rrsetShape, tipo } from '../../lib/dns/shapes.ts'
import { etagOf, requireMatch, rrsetView, zoneToChange } from '../../lib/dns/zones.ts'
import { domain } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'

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
    const { zone, client } = await zoneToChange(ctx, params.zona)
    requireMatch(ctx, zone)
    ctx.audit.detail = { nombre: params.nombre, tipo: params.tipo }
    const at = { name: params.nombre, type: params.tipo }
    const { rrset, serial } = await deleteRrset(ctx, { zone, client }, at)
    return ok(rrsetView(rrset), { etag: etagOf({ id: zone.id, serial }) })
  },
  settled: async (_ctx, _input, answer) => answer,
})
