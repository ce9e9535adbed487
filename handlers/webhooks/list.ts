import * as v from 'valibot'
import { page, pageQuery } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf } from '../../lib/endpoint/page.ts'
import { webhookShape } from '../../lib/webhooks/shapes.ts'
import { webhookRows, webhookView } from '../../lib/webhooks/view.ts'

export default handler({
  method: 'GET',
  path: '/avisos',
  access: allow('token', 'admin'),
  summary: 'List webhooks; never their secrets',
  query: v.strictObject(pageQuery),
  output: page(webhookShape),
  async run({ tx, now }, { query: { desde, limite } }) {
    const rows = await webhookRows(tx, desde, limite + 1)
    const at = now()
    return ok(
      pageOf(
        rows,
        limite,
        ({ webhook }) => webhook.id,
        (row) => webhookView(row, at),
      ),
    )
  },
})
