import { eq, sql } from 'drizzle-orm'
import { handler, ok, person } from '../../lib/endpoint/handler.ts'
import { mapped } from '../../lib/store/reading.ts'
import { changedReading, webhookToChange } from '../../lib/webhooks/commands.ts'
import { OVERLAP_MS, sealedSecret } from '../../lib/webhooks/secret.ts'
import { newSecretShape, webhookParams } from '../../lib/webhooks/shapes.ts'
import { later } from '../../lib/work/back-off.ts'
import { webhooks } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/avisos/:id/secreto',
  access: person('admin'),
  summary: 'Make a new secret for a webhook',
  description:
    'For a day, messages carry two signatures: one with the new secret, one with the secret before it. The new one is in this answer and nowhere else.',
  params: webhookParams,
  output: newSecretShape,
  errors: ['aviso_no_existe'],
  secret: true,
  prepare: (services, { params }) => sealedSecret(services, params.id),
  async run(ctx, { params }, { secret, sealed }) {
    const { id } = await webhookToChange(ctx, params.id)
    const replacedUntil = later(ctx.now(), OVERLAP_MS)
    ctx.tx.later(
      ctx.tx
        .update(webhooks)
        .set({ secret: sealed, replacedSecret: sql`${webhooks.secret}`, replacedUntil })
        .where(eq(webhooks.id, id)),
    )
    return ok(mapped(changedReading(ctx, id), (shown) => ({ ...shown, secreto: secret.reveal() })))
  },
})
