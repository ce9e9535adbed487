import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { applyClient, clientToChange, viewClient } from '../../lib/clients.ts'
import { cliente } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'
import { clientShape } from '../../lib/shapes.ts'
import { clients } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/clientes/:cliente/activar',
  access: allow('token', 'admin'),
  summary: 'Activate a client',
  description: 'Sets a state: repeating it is safe.',
  params: v.strictObject({ cliente }),
  output: clientShape,
  async run(ctx, { params }) {
    const client = await clientToChange(ctx, params.cliente)
    if (client.state === 'suspendido') {
      await ctx.tx
        .update(clients)
        .set({ state: 'activo', suspendedAt: null, reason: null, updatedAt: ctx.now() })
        .where(eq(clients.id, client.id))
    }
    applyClient(ctx, client)
    return ok(await viewClient(ctx.tx, client.name))
  },
  settled: async ({ tx }, { params }) => ok(await viewClient(tx, params.cliente)),
})
