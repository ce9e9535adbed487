import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { clientSubject, findClient } from '../../lib/clients.ts'
import { AppError } from '../../lib/errors.ts'
import { cliente, told } from '../../lib/fields.ts'
import { accepted, allow, handler, ok } from '../../lib/handler.ts'
import { enqueueAndWait } from '../../lib/jobs.ts'
import { shutOutLogin } from '../../lib/logins.ts'
import { removalShape } from '../../lib/shapes.ts'
import { clients, sites } from '../../schema/tables.ts'

export default handler({
  method: 'DELETE',
  path: '/clientes/:cliente',
  access: allow('token', 'admin'),
  summary: 'Delete a client and everything of it',
  description: '200 once nothing of it is served, 202 where that takes longer than five seconds.',
  params: v.strictObject({ cliente }),
  output: removalShape('ClienteEliminado', { cliente: told(v.string(), 'The client.', 'acme') }),
  statuses: [200, 202],
  errors: ['cliente_no_existe', 'cliente_en_otro_nodo'],
  async run(ctx, { params }) {
    const client = await findClient(ctx.tx, ctx.actor, params.cliente)
    if (ctx.config.node !== null && client.node !== ctx.config.node) {
      throw new AppError('cliente_en_otro_nodo', { nodo: client.node })
    }
    await shutOutLogin(ctx, client, { sessions: true })
    ctx.tx.later(
      ctx.tx
        .update(clients)
        .set({ state: 'eliminando', updatedAt: ctx.now() })
        .where(eq(clients.id, client.id)),
      ctx.tx.update(sites).set({ state: 'eliminando' }).where(eq(sites.clientId, client.id)),
    )
    enqueueAndWait(ctx, {
      kind: 'cliente.eliminar',
      node: client.node,
      subject: clientSubject(client),
      client: client.name,
    })
    return accepted({ cliente: client.name, estado: 'eliminando' as const })
  },
  async settled({ tx }, { params }, answer) {
    const row = await tx
      .select({ id: clients.id })
      .from(clients)
      .where(eq(clients.name, params.cliente))
      .get()
    return row ? answer : ok({ cliente: params.cliente, eliminado: true as const })
  },
})
