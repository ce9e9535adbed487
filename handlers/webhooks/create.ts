import * as v from 'valibot'
import { created, handler, person } from '../../lib/endpoint/handler.ts'
import { ulid } from '../../lib/store/ids.ts'
import { mapped } from '../../lib/store/reading.ts'
import { changedReading, noteHost, requireUrl } from '../../lib/webhooks/commands.ts'
import { decideNew } from '../../lib/webhooks/decide.ts'
import { sealedSecret } from '../../lib/webhooks/secret.ts'
import { newSecretShape, tipos, url } from '../../lib/webhooks/shapes.ts'
import { webhookCount } from '../../lib/webhooks/view.ts'
import { webhooks } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/avisos',
  access: person('admin'),
  summary: 'Create a webhook',
  description:
    'From now on each event of its types is posted to `url` as Standard Webhooks describes: `{type, timestamp, data}`, where `data` is the event as `GET /eventos` tells it, with the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`. A reply of the 200s takes it. Otherwise it is tried again after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours. A delivery may come twice, with the same `webhook-id`, and after a failure out of order. The secret is in this answer and nowhere else. At most 20 webhooks.',
  body: v.strictObject({ url, tipos }),
  output: newSecretShape,
  statuses: [201],
  errors: ['demasiados_avisos'],
  secret: true,
  async prepare(services, { body }, ctx) {
    const target = requireUrl(ctx, body.url)
    const id = `avi_${ulid(services.now(), services.random)}`
    return { id, target, ...(await sealedSecret(services, id)) }
  },
  async run(ctx, { body }, { id, target, secret, sealed }) {
    ctx.audit.target = id
    noteHost(ctx, target)
    const [there] = await webhookCount(ctx.tx)
    decideNew(there?.count ?? 0)
    ctx.tx.later(
      ctx.tx.insert(webhooks).values({
        id,
        url: target,
        types: [...new Set(body.tipos)],
        active: true,
        secret: sealed,
        createdAt: ctx.now(),
      }),
    )
    const view = mapped(changedReading(ctx, id), (shown) => ({ ...shown, secreto: secret.reveal() }))
    return created(view, `/avisos/${id}`)
  },
})
