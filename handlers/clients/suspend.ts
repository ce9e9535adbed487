import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { changesOf } from '../../lib/audit/changes.ts'
import { enqueueClientSync } from '../../lib/clients/clients.ts'
import { changeableWithLogin } from '../../lib/clients/decide.ts'
import { clientShape } from '../../lib/clients/shapes.ts'
import { clientReading } from '../../lib/clients/view.ts'
import { cliente, motivo } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { endLinks } from '../../lib/identity/links.ts'
import { clientWithLogin } from '../../lib/identity/logins.ts'
import { readNow } from '../../lib/store/reading.ts'
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
    const { client, login } = changeableWithLogin(await clientWithLogin(ctx, params.cliente), ctx.config.node)
    const now = ctx.now()
    const reason = body.motivo === undefined ? client.reason : body.motivo
    const before = { estado: client.state, motivo: client.reason }
    ctx.audit.changes = changesOf(before, { estado: 'suspendido', motivo: reason })
    ctx.tx.later(
      ctx.tx
        .update(clients)
        .set({
          state: 'suspendido',
          suspendedAt: client.suspendedAt ?? now,
          reason,
          updatedAt: now,
        })
        .where(eq(clients.id, client.id)),
    )
    // Suspending ends the open links; a reset that is sent to a suspended client later makes a link that works.
    if (client.state !== 'suspendido' && login) endLinks(ctx.tx, ctx, { personId: login.id, why: 'anulado' })
    enqueueClientSync(ctx, client)
    return ok(clientReading(ctx, client.name))
  },
  settled: async (ctx, { params }) => ok(await readNow(ctx.tx, clientReading(ctx, params.cliente))),
})
