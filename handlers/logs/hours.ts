import * as v from 'valibot'
import { domain } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { siteLogs } from '../../lib/logs/facts.ts'
import { hoursQuery, hoursShape } from '../../lib/logs/shapes.ts'
import { hourView } from '../../lib/logs/view.ts'

export default handler({
  method: 'GET',
  path: '/sitios/:domain/bitacora/horas',
  access: allow('token', 'admin', 'client'),
  summary: "Count a site's visits by hour",
  description: 'The last hours up to this one, the oldest first; one in which nothing came has zeros.',
  params: v.strictObject({ domain }),
  query: hoursQuery,
  whileSuspended: true,
  output: hoursShape,
  errors: ['sitio_no_existe', 'cliente_suspendido', 'cliente_en_otro_nodo', 'no_disponible'],
  async run(ctx, { params, query }) {
    const { logs, at } = await siteLogs(ctx, ctx.tx, { domain: params.domain, kind: 'acceso' })
    const counts = await logs.hours(at, { until: ctx.now(), many: query.horas })
    return ok({ datos: counts.map(hourView) })
  },
})
