import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { applyClient, clientReading, clientToChange } from '../../lib/clients.ts'
import { cliente, motivo } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'
import { askForLogin, shutOutLogin } from '../../lib/logins.ts'
import { readNow } from '../../lib/reading.ts'
import { clientShape } from '../../lib/shapes.ts'
import { clients } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/clientes/:cliente/suspender',
  access: allow('token', 'admin'),
  whenFull: true,
  summary: 'Suspend a client',
  description: 'Sets a state: repeating it is safe and keeps the first `suspendido_desde`.',
  params: v.strictObject({ cliente }),
  body: v.strictObject({ motivo: v.optional(v.nullable(motivo)) }),
  bodyOptional: true,
  output: clientShape,
  errors: ['cliente_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose'],
  async run(ctx, { params, body }) {
    await askForLogin(ctx, params.cliente)
    const client = await clientToChange(ctx, params.cliente)
    const now = ctx.now()
    await ctx.tx
      .update(clients)
      .set({
        state: 'suspendido',
        suspendedAt: client.suspendedAt ?? now,
        reason: body.motivo === undefined ? client.reason : body.motivo,
        updatedAt: now,
      })
      .where(eq(clients.id, client.id))
    // Links die with the change of state; one sent while suspended, by a reset, stays good.
    if (client.state !== 'suspendido') await shutOutLogin(ctx, client, { sessions: false })
    applyClient(ctx, client)
    return ok(clientReading(ctx, client.name))
  },
  settled: async (ctx, { params }) => ok(await readNow(ctx.tx, clientReading(ctx, params.cliente))),
})
