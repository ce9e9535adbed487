import * as v from 'valibot'
import { cliente } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { moveShape } from '../../lib/moves/shapes.ts'
import { moveReading } from '../../lib/moves/view.ts'
import { readNow } from '../../lib/store/reading.ts'

export default handler({
  method: 'GET',
  path: '/clientes/:cliente/mudar',
  access: allow('token', 'admin'),
  summary: 'Show the move of a client',
  description: '404 `mudanza_no_existe` where it is not moving, or its move was confirmed or taken back.',
  params: v.strictObject({ cliente }),
  output: moveShape,
  errors: ['cliente_no_existe', 'mudanza_no_existe'],
  run: async (ctx, { params }) => ok(await readNow(ctx.tx, moveReading(ctx, params.cliente))),
})
