import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { AppError } from '../../lib/endpoint/errors.ts'
import { told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { changedReading, noteHost, requireUrl, webhookToChange } from '../../lib/webhooks/commands.ts'
import { giveUpWaiting } from '../../lib/webhooks/queue.ts'
import { tipos, url, webhookParams, webhookShape } from '../../lib/webhooks/shapes.ts'
import { webhooks } from '../../schema/tables.ts'

export default handler({
  method: 'PATCH',
  path: '/avisos/:id',
  access: allow('token', 'admin'),
  summary: 'Change a webhook, or switch it off and on',
  description:
    'What waits when it is switched off is given up. `url` is for a person only: what is signed with the secret would go elsewhere (403 `no_con_token`).',
  params: webhookParams,
  body: v.strictObject({
    url: v.optional(url),
    tipos: v.optional(tipos),
    activo: v.optional(told(v.boolean('tipo_incorrecto'), 'Whether events are delivered.', true)),
  }),
  output: webhookShape,
  errors: ['aviso_no_existe', 'no_con_token'],
  async run(ctx, { params, body }) {
    if (body.url !== undefined && ctx.actor.kind === 'token') throw new AppError('no_con_token')
    const found = await webhookToChange(ctx, params.id)
    const target = body.url === undefined ? found.url : requireUrl(ctx, body.url)
    const active = body.activo ?? found.active
    noteHost(ctx, target)
    const set = {
      url: target,
      types: body.tipos === undefined ? found.types : [...new Set(body.tipos)],
      active,
      stopped: active ? null : (found.stopped ?? 'a_mano'),
    }
    ctx.tx.later(ctx.tx.update(webhooks).set(set).where(eq(webhooks.id, found.id)))
    if (!active) ctx.tx.later(giveUpWaiting(ctx.tx, found.id))
    return ok(changedReading(ctx, found.id))
  },
})
