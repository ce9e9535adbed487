import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { clientSubject } from '../../lib/clients/clients.ts'
import { requireAtRest, requireClient, requireOwnNode } from '../../lib/clients/decide.ts'
import { cliente, told } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { removalShape } from '../../lib/endpoint/shapes.ts'
import { endLinks } from '../../lib/identity/links.ts'
import { clientWithLogin, endSessions } from '../../lib/identity/logins.ts'
import { queueForgetting } from '../../lib/moves/commands.ts'
import { undoFacts } from '../../lib/moves/facts.ts'
import { enqueueAndWait } from '../../lib/work/jobs.ts'
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
    const [known, { found, belongings }] = await Promise.all([
      clientWithLogin(ctx, params.cliente),
      undoFacts(ctx, params.cliente),
    ])
    const { client, login } = requireClient(known)
    requireOwnNode(client, ctx.config.node)
    requireAtRest(client)
    if (found?.move) ctx.tx.later(...queueForgetting(ctx, { client, move: found.move }, belongings))
    if (login) {
      endLinks(ctx.tx, ctx, { personId: login.id, why: 'anulado' })
      endSessions(ctx.tx, ctx, { personId: login.id })
    }
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
