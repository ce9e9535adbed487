import { and, eq, ne } from 'drizzle-orm'
import * as v from 'valibot'
import { id, told } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler } from '../../lib/endpoint/handler.ts'
import { mapped, reading } from '../../lib/store/reading.ts'
import { noteHost } from '../../lib/webhooks/commands.ts'
import { decideRepeat, requireWebhook } from '../../lib/webhooks/decide.ts'
import { deliveryShape } from '../../lib/webhooks/shapes.ts'
import { deliveryRows, deliveryView } from '../../lib/webhooks/view.ts'
import { deliveries, webhooks } from '../../schema/tables.ts'

const entrega = told(
  v.pipe(v.string(), v.regex(/^[0-9]{1,15}$/, 'valor_no_admitido')),
  'The delivery, as the listing tells it.',
  '41',
)

export default handler({
  method: 'POST',
  path: '/avisos/:id/entregas/:entrega/repetir',
  access: allow('token', 'admin'),
  summary: 'Send a delivery again',
  description:
    'At once, also one that was taken or that waits for its next attempt, under the same `webhook-id`: a receiver that has it already can tell. If it fails, all attempts begin again.',
  params: v.strictObject({ id, entrega }),
  output: deliveryShape,
  statuses: [202],
  errors: ['aviso_no_existe', 'entrega_no_existe', 'aviso_apagado'],
  async run(ctx, { params }) {
    const { tx } = ctx
    const which = and(eq(deliveries.webhookId, params.id), eq(deliveries.id, Number(params.entrega)))
    ctx.audit.target = params.id
    const [webhook, [found]] = await Promise.all([
      tx.select().from(webhooks).where(eq(webhooks.id, params.id)).get(),
      deliveryRows(tx, which, 1),
    ])
    const known = requireWebhook(webhook)
    noteHost(ctx, known.url)
    const delivery = decideRepeat(known, found)
    ctx.audit.detail = { ...ctx.audit.detail, entrega: params.entrega }
    // One that is being sent now needs no repetition.
    tx.later(
      tx
        .update(deliveries)
        .set({ state: 'en_cola', attempts: 0, nextAt: new Date(0) })
        .where(and(which, ne(deliveries.state, 'enviando'))),
    )
    const after = reading(deliveryRows(tx, which, 1), ([row]) => row ?? delivery)
    return accepted(mapped(after, (row) => deliveryView(row, ctx.now())))
  },
})
