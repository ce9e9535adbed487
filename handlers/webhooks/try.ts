import { eq } from 'drizzle-orm'
import { AppError } from '../../lib/endpoint/errors.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { orphaned } from '../../lib/store/uniqueness.ts'
import { queueForgettingOld } from '../../lib/webhooks/bounds.ts'
import { chargeTest } from '../../lib/webhooks/commands.ts'
import { requireWebhook } from '../../lib/webhooks/decide.ts'
import { messageOf } from '../../lib/webhooks/message.ts'
import { openSecrets } from '../../lib/webhooks/secret.ts'
import { sendOnce } from '../../lib/webhooks/send.ts'
import { deliveryShape, webhookParams } from '../../lib/webhooks/shapes.ts'
import { deliveryView, hostNote } from '../../lib/webhooks/view.ts'
import { deliveries, webhooks } from '../../schema/tables.ts'

/** Somebody waits for the answer. */
const TIMEOUT_MS = 6000

export default handler({
  method: 'POST',
  path: '/avisos/:id/probar',
  access: allow('token', 'admin'),
  summary: 'Send a test message to a webhook now',
  description:
    'Of type `aviso.prueba` and without data, also while the webhook is switched off; it is not repeated. Six times a minute at the most for each webhook. The answer tells what came of it within six seconds.',
  params: webhookParams,
  output: deliveryShape,
  errors: ['aviso_no_existe'],
  async prepare(services, { params }, ctx) {
    // Not `acts`: a request that is repeated sends another test message, which does no harm.
    const found = await ctx.tx.select().from(webhooks).where(eq(webhooks.id, params.id)).get()
    const webhook = requireWebhook(found)
    const { id, url } = webhook
    chargeTest(services, id)
    const queuedAt = services.now()
    const secrets = await openSecrets(services, webhook, queuedAt)
    const message = messageOf(null, { queuedAt })
    const outcome = await sendOnce(services, { url, message, secrets, timeoutMs: TIMEOUT_MS })
    return { id, url, queuedAt, outcome }
  },
  async run(ctx, _input, { id, url, queuedAt, outcome }) {
    const now = ctx.now()
    const state = outcome.fault === null ? ('entregada' as const) : ('abandonada' as const)
    Object.assign(ctx.audit, { target: id, detail: { ...hostNote(url), estado: state } })
    const row = { webhookId: id, state, attempts: 1, queuedAt, nextAt: queuedAt, triedAt: now, ...outcome }
    try {
      const [delivery] = await ctx.tx.insert(deliveries).values(row).returning()
      ctx.tx.later(queueForgettingOld(ctx.tx, id))
      return ok(deliveryView({ delivery: requireWebhook(delivery), event: null }, now))
    } catch (error) {
      // It was deleted while its reply was waited for.
      throw orphaned(error) ? new AppError('aviso_no_existe') : error
    }
  },
})
