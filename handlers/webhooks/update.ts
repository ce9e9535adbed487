import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { changesOf } from '../../lib/audit/changes.ts'
import { told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { changedReading, noteHost, requireUrl, webhookToChange } from '../../lib/webhooks/commands.ts'
import { decideChange, requireMover } from '../../lib/webhooks/decide.ts'
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
    requireMover(ctx.actor, body.url)
    const found = await webhookToChange(ctx, params.id)
    const wanted = { url: body.url, types: body.tipos, active: body.activo }
    const set = decideChange(found, wanted)
    if (body.url !== undefined) set.url = requireUrl(ctx, body.url)
    noteHost(ctx, set.url)
    const before = { url: found.url, tipos: found.types, activo: found.active }
    // The path of an address may be a secret.
    ctx.audit.changes = changesOf(before, { url: set.url, tipos: set.types, activo: set.active }, ['url'])
    ctx.tx.later(ctx.tx.update(webhooks).set(set).where(eq(webhooks.id, found.id)))
    if (!set.active) ctx.tx.later(giveUpWaiting(ctx.tx, found.id))
    return ok(changedReading(ctx, found.id))
  },
})
