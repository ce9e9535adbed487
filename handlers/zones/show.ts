import * as v from 'valibot'
import { zoneShape } from '../../lib/dns/shapes.ts'
import { viewZone } from '../../lib/dns/zones.ts'
import { domain } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'

export default handler({
  method: 'GET',
  path: '/zonas/:zona',
  access: allow('token', 'admin', 'client'),
  summary: 'Show a DNS zone',
  params: v.strictObject({ zona: domain }),
  output: zoneShape,
  run: async ({ tx, actor }, { params }) => ok(await viewZone(tx, actor, params.zona)),
})
