import * as v from 'valibot'
import { findClient } from '../../lib/clients.ts'
import { AppError } from '../../lib/errors.ts'
import { cliente } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'
import { usageShape } from '../../lib/shapes.ts'
import { viewUsage } from '../../lib/usage.ts'

export default handler({
  method: 'GET',
  path: '/clientes/:cliente/uso',
  access: allow('token', 'admin', 'client'),
  whileSuspended: true,
  summary: 'Consumption against the plan',
  params: v.strictObject({ cliente }),
  output: usageShape,
  async run({ tx, actor, now }, { params }) {
    const client = await findClient(tx, actor, params.cliente)
    const [view] = await viewUsage(tx, [client.id], now())
    if (!view) throw new AppError('cliente_no_existe')
    return ok(view)
  },
})
