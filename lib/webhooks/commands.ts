import { eq } from 'drizzle-orm'
import { webhooks } from '../../schema/tables.ts'
import type { Services, WriteCtx } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import { invalidField } from '../endpoint/validate.ts'
import { mapped, type Reading } from '../store/reading.ts'
import { requireWebhook, TESTS_PER_MINUTE } from './decide.ts'
import { webhookUrl } from './destination.ts'
import type { Webhook } from './rows.ts'
import type { WebhookView } from './shapes.ts'
import { hostNote, webhookReading } from './view.ts'

/** The webhook that the path names. */
export async function webhookToChange(ctx: WriteCtx, id: string): Promise<Webhook> {
  ctx.audit.target = id
  const found = await ctx.tx.select().from(webhooks).where(eq(webhooks.id, id)).get()
  const webhook = requireWebhook(found)
  noteHost(ctx, webhook.url)
  return webhook
}

/** Refuses to try a webhook out too often, whoever asks: 429. */
export function chargeTest({ limits, now }: Pick<Services, 'limits' | 'now'>, id: string): void {
  const budget = { name: `aviso-prueba:${id}`, limit: TESTS_PER_MINUTE, windowSeconds: 60 }
  const { allowed, resetSeconds } = limits.charge(budget, now())
  if (!allowed) throw new AppError('espera', { retryAfterSeconds: resetSeconds })
}

/** Notes in the audit row where a webhook leads. */
export function noteHost(ctx: WriteCtx, url: string): void {
  ctx.audit.detail = { ...ctx.audit.detail, ...hostNote(url) }
}

/** The URL as it is stored; 422 for one that is not allowed. */
export function requireUrl(ctx: Pick<WriteCtx, 'config' | 'request'>, text: string): string {
  const url = webhookUrl(text, ctx.config)
  if (url === null) throw invalidField('url', 'destino_no_admitido', ctx.request.language)
  return url
}

/** The webhook as it is once everything is written. */
export const changedReading = ({ tx, now }: WriteCtx, id: string): Reading<WebhookView> =>
  mapped(webhookReading(tx, id, now()), (view) => requireWebhook(view ?? undefined))
