import * as v from 'valibot'
import { domain, page, pageQuery } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { scheduleShape } from '../../lib/schedules/shapes.ts'
import { schedulesReading } from '../../lib/schedules/view.ts'

export default handler({
  method: 'GET',
  path: '/sitios/:domain/programadas',
  access: allow('token', 'admin', 'client'),
  summary: "List a site's scheduled tasks",
  params: v.strictObject({ domain }),
  query: v.strictObject(pageQuery),
  output: page(scheduleShape),
  errors: ['sitio_no_existe'],
  run: async (ctx, { params, query }) => ok(schedulesReading(ctx, params.domain, query)),
})
