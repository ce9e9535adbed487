import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { readNow } from '../../lib/store/reading.ts'
import { requireWebhook } from '../../lib/webhooks/decide.ts'
import { webhookParams, webhookShape } from '../../lib/webhooks/shapes.ts'
import { webhookReading } from '../../lib/webhooks/view.ts'

export default handler({
  method: 'GET',
  path: '/avisos/:id',
  access: allow('token', 'admin'),
  summary: 'Show a webhook',
  params: webhookParams,
  output: webhookShape,
  errors: ['aviso_no_existe'],
  async run({ tx, now }, { params }) {
    const found = await readNow(tx, webhookReading(tx, params.id, now()))
    return ok(requireWebhook(found ?? undefined))
  },
})
