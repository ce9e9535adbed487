import * as v from 'valibot'
import { clientShape } from '../../lib/clients/shapes.ts'
import { clientReading } from '../../lib/clients/view.ts'
import { cliente } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'

export default handler({
  method: 'GET',
  path: '/clientes/:cliente',
  access: allow('token', 'admin', 'client'),
  whileSuspended: true,
  summary: 'Show a client',
  params: v.strictObject({ cliente }),
  output: clientShape,
  errors: ['cliente_no_existe'],
  run: async (ctx, { params }) => ok(clientReading(ctx, params.cliente)),
})
