import * as v from 'valibot'
import { zoneShape } from '../../lib/dns/shapes.ts'
import { zoneReading } from '../../lib/dns/zones.ts'
import { domain } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'

export default handler({
  method: 'GET',
  path: '/zonas/:zona',
  access: allow('token', 'admin', 'client'),
  summary: 'Show a DNS zone',
  params: v.strictObject({ zona: domain }),
  output: zoneShape,
  errors: ['zona_no_existe'],
  run: async (ctx, { params }) => ok(zoneReading(ctx, params.zona)),
})
