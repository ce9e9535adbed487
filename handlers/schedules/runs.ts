import * as v from 'valibot'
import { domain, id, page, pageQuery } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { runShape } from '../../lib/schedules/shapes.ts'
import { runsReading } from '../../lib/schedules/view.ts'

export default handler({
  method: 'GET',
  path: '/sitios/:domain/programadas/:id/ejecuciones',
  access: allow('token', 'admin', 'client'),
  summary: 'List the last thirty runs of a scheduled task, newest first',
  params: v.strictObject({ domain, id }),
  query: v.strictObject(pageQuery),
  output: page(runShape),
  errors: ['programada_no_existe'],
  run: async (ctx, { params, query }) => ok(runsReading(ctx, params, query)),
})
