import * as v from 'valibot'
import { clientReading } from '../../lib/clients.ts'
import { cliente } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'
import { clientShape } from '../../lib/shapes.ts'

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
