import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { applyClient, clientReading, clientToChange } from '../../lib/clients.ts'
import { cliente } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'
import { readNow } from '../../lib/reading.ts'
import { clientShape } from '../../lib/shapes.ts'
import { clients } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/clientes/:cliente/activar',
  access: allow('token', 'admin'),
  whenFull: true,
  summary: 'Activate a client',
  description: 'Sets a state: repeating it is safe.',
  params: v.strictObject({ cliente }),
  output: clientShape,
  errors: ['cliente_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose'],
  async run(ctx, { params }) {
    const client = await clientToChange(ctx, params.cliente)
    if (client.state === 'suspendido') {
      await ctx.tx
        .update(clients)
        .set({ state: 'activo', suspendedAt: null, reason: null, updatedAt: ctx.now() })
        .where(eq(clients.id, client.id))
    }
    applyClient(ctx, client)
    return ok(clientReading(ctx, client.name))
  },
  settled: async (ctx, { params }) => ok(await readNow(ctx.tx, clientReading(ctx, params.cliente))),
})
