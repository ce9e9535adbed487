import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { named, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { webhookToChange } from '../../lib/webhooks/commands.ts'
import { webhookParams } from '../../lib/webhooks/shapes.ts'
import { webhooks } from '../../schema/tables.ts'

export default handler({
  method: 'DELETE',
  path: '/avisos/:id',
  access: allow('token', 'admin'),
  summary: 'Delete a webhook with its deliveries',
  params: webhookParams,
  output: named(
    'AvisoEliminado',
    'A deletion.',
    v.strictObject({
      id: told(v.string(), 'The webhook.', 'avi_01JD8Z3K9Q'),
      eliminado: told(v.literal(true), 'Nothing is sent there any more.', true),
    }),
  ),
  errors: ['aviso_no_existe'],
  async run(ctx, { params }) {
    const found = await webhookToChange(ctx, params.id)
    ctx.tx.later(ctx.tx.delete(webhooks).where(eq(webhooks.id, found.id)))
    return ok({ id: found.id, eliminado: true as const })
  },
})
