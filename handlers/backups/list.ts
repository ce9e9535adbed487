import * as v from 'valibot'
import { copiesShape } from '../../lib/backups/shapes.ts'
import { copiesReading } from '../../lib/backups/view.ts'
import { cliente, pageQuery } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { readNow } from '../../lib/store/reading.ts'

export default handler({
  method: 'GET',
  path: '/clientes/:cliente/copias',
  access: allow('token', 'admin', 'client'),
  summary: "List a client's copies",
  description: 'The latest first. Those that lie where copies do not go any more are not shown.',
  params: v.strictObject({ cliente }),
  query: v.strictObject(pageQuery),
  output: copiesShape,
  errors: ['cliente_no_existe'],
  run: async (ctx, { params, query }) => ok(await readNow(ctx.tx, copiesReading(ctx, params.cliente, query))),
})
