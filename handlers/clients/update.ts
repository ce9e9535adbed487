import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { clientReading, clientToChange } from '../../lib/clients.ts'
import { AppError } from '../../lib/errors.ts'
import { cliente, nombre, referencia } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'
import { clientShape } from '../../lib/shapes.ts'
import { clients } from '../../schema/tables.ts'

export default handler({
  method: 'PATCH',
  path: '/clientes/:cliente',
  access: allow('token', 'admin'),
  summary: "Change a client's display name or reference",
  params: v.strictObject({ cliente }),
  body: v.strictObject({
    nombre: v.optional(v.nullable(nombre)),
    referencia: v.optional(v.nullable(referencia)),
  }),
  output: clientShape,
  errors: ['cliente_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose', 'referencia_en_conflicto'],
  async run(ctx, { params, body }) {
    const holder = () =>
      ctx.tx
        .select({ id: clients.id })
        .from(clients)
        .where(eq(clients.reference, body.referencia ?? ''))
        .get()
    await ctx.tx.ahead(() => clientToChange(ctx, params.cliente), holder)
    const client = await clientToChange(ctx, params.cliente)
    if (body.referencia) {
      const other = await holder()
      if (other && other.id !== client.id) throw new AppError('referencia_en_conflicto')
    }
    await ctx.tx
      .update(clients)
      .set({
        ...(body.nombre === undefined ? {} : { displayName: body.nombre }),
        ...(body.referencia === undefined ? {} : { reference: body.referencia }),
        updatedAt: ctx.now(),
      })
      .where(eq(clients.id, client.id))
    return ok(clientReading(ctx, client.name))
  },
})
