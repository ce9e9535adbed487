import * as v from 'valibot'
import { domain } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { connectionOf } from '../../lib/proof/connection.ts'
import { connectionShape, connectionView } from '../../lib/proof/connection-view.ts'

export default handler({
  method: 'GET',
  path: '/sitios/:domain/conexion',
  access: allow('token', 'admin', 'client'),
  summary: "Whether a site's names lead to this server",
  description:
    'Asked of recursive resolvers now, never of the panel’s own DNS, with what to set at the registrar or at another DNS provider. At most 30 times a minute by each caller.',
  params: v.strictObject({ domain }),
  output: connectionShape,
  errors: ['sitio_no_existe'],
  prepare: (services, { params }, ctx) => connectionOf(services, ctx, params.domain),
  run: async ({ now }, { params }, found) => ok(connectionView(params.domain, found, now())),
})
