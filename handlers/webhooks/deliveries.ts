import { and, eq } from 'drizzle-orm'
import * as v from 'valibot'
import { page, pageQuery, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf, placeAt } from '../../lib/endpoint/page.ts'
import { requireWebhook } from '../../lib/webhooks/decide.ts'
import { deliveryShape, webhookParams } from '../../lib/webhooks/shapes.ts'
import { before, deliveryRows, deliveryView } from '../../lib/webhooks/view.ts'
import { DELIVERY_STATES } from '../../schema/states.ts'
import { deliveries, webhooks } from '../../schema/tables.ts'

export default handler({
  method: 'GET',
  path: '/avisos/:id/entregas',
  access: allow('token', 'admin'),
  summary: "List a webhook's deliveries, the latest first",
  params: webhookParams,
  query: v.strictObject({
    ...pageQuery,
    estado: v.optional(told(v.picklist(DELIVERY_STATES, 'valor_no_admitido'), 'Only those in this state.')),
  }),
  output: page(deliveryShape),
  errors: ['aviso_no_existe', 'cursor_invalido'],
  async run({ tx, now }, { params, query: { desde, limite, estado } }) {
    const place = placeAt(desde)
    const which = and(
      eq(deliveries.webhookId, params.id),
      place === undefined ? undefined : before(place),
      estado === undefined ? undefined : eq(deliveries.state, estado),
    )
    const [found, rows] = await Promise.all([
      tx.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.id, params.id)).get(),
      deliveryRows(tx, which, limite + 1),
    ])
    requireWebhook(found)
    const at = now()
    return ok(
      pageOf(
        rows,
        limite,
        ({ delivery }) => String(delivery.id),
        (row) => deliveryView(row, at),
      ),
    )
  },
})
