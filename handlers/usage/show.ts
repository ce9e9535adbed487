import { and, eq } from 'drizzle-orm'
import * as v from 'valibot'
import { visibleTo } from '../../lib/clients/clients.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { cliente } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { mapped } from '../../lib/store/reading.ts'
import { usageShape } from '../../lib/usage/shapes.ts'
import { usageReading } from '../../lib/usage/usage.ts'
import { clients } from '../../schema/tables.ts'

export default handler({
  method: 'GET',
  path: '/clientes/:cliente/uso',
  access: allow('token', 'admin', 'client'),
  whileSuspended: true,
  summary: 'Consumption against the plan',
  params: v.strictObject({ cliente }),
  output: usageShape,
  errors: ['cliente_no_existe'],
  async run({ tx, actor, now }, { params }) {
    const which = and(eq(clients.name, params.cliente), visibleTo(actor))
    const id = tx.select({ id: clients.id }).from(clients).where(which)
    return ok(
      mapped(usageReading(tx, id, now()), ([view]) => {
        if (!view) throw new AppError('cliente_no_existe')
        return view
      }),
    )
  },
})
