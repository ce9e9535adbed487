import * as v from 'valibot'
import { domain } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { siteShape } from '../../lib/sites/shapes.ts'
import { siteReading } from '../../lib/sites/view.ts'

export default handler({
  method: 'GET',
  path: '/sitios/:domain',
  access: allow('token', 'admin', 'client'),
  summary: 'Show a site',
  params: v.strictObject({ domain }),
  output: siteShape,
  errors: ['sitio_no_existe'],
  run: async (ctx, { params }) => ok(siteReading(ctx, params.domain)),
})
