import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { changesOf } from '../../lib/audit/changes.ts'
import { queueRecovery } from '../../lib/backups/recover.ts'
import { clientToChange, enqueueClientSync } from '../../lib/clients/clients.ts'
import { clientShape } from '../../lib/clients/shapes.ts'
import { clientReading } from '../../lib/clients/view.ts'
import { cliente } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { readNow } from '../../lib/store/reading.ts'
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
      const before = { estado: client.state, motivo: client.reason }
      ctx.audit.changes = changesOf(before, { estado: 'activo', motivo: null })
      ctx.tx.later(
        ctx.tx
          .update(clients)
          .set({ state: 'activo', suspendedAt: null, reason: null, updatedAt: ctx.now() })
          .where(eq(clients.id, client.id)),
      )
    }
    enqueueClientSync(ctx, client)
    ctx.tx.later(queueRecovery(ctx.tx, ctx, client))
    return ok(clientReading(ctx, client.name))
  },
  settled: async (ctx, { params }) => ok(await readNow(ctx.tx, clientReading(ctx, params.cliente))),
})
