import { and, asc, eq, exists, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { deliveries, events, webhooks } from '../../schema/tables.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Services } from '../endpoint/context.ts'
import type { Event } from '../events/view.ts'
import { activeAdmins } from '../identity/tokens.ts'
import { enqueueMails } from '../mail/queue.ts'
import type { Db, Tx } from '../store/database.ts'
import type { Query } from '../store/reading.ts'
import { later, longestMs, nextTry } from '../work/back-off.ts'
import { isDue, isFree, turnAt } from '../work/clock.ts'
import { BACK_OFF, decideDelivery, type Outcome, type Verdict } from './decide.ts'
import type { Delivery, Webhook } from './rows.ts'
import { hostNote, stopNote } from './view.ts'

/** Four times what an attempt takes at most: after that, whoever made it is gone. */
const LEASE_MS = 60_000

/** Deliveries to attempt now: their time has come, or the process that attempted them is gone. */
const isClaimable = (now: Date) =>
  or(
    and(eq(deliveries.state, 'en_cola'), isDue(deliveries.nextAt, now, longestMs(BACK_OFF))),
    and(eq(deliveries.state, 'enviando'), isFree(deliveries.leaseUntil, now, LEASE_MS)),
  )

/** The webhooks for which something is due. */
export async function webhooksDue(db: Db, now: Date): Promise<string[]> {
  const due = db
    .select({ one: sql`1` })
    .from(deliveries)
    .where(and(eq(deliveries.webhookId, webhooks.id), isClaimable(now)))
  const rows = await db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(and(webhooks.active, exists(due)))
  return rows.map(({ id }) => id)
}

/** An attempt to be made: the delivery as it was claimed, where it goes, and the event that it tells of. */
export type Claim = { delivery: Delivery; webhook: Webhook; event: Event | null }

/** Claims the next due delivery of a webhook: new ones in the order of their events, before those that failed. */
export async function claimNext(services: Services, webhook: string): Promise<Claim | null> {
  const now = services.now()
  const next = await services.db.read
    .select({ id: deliveries.id, webhook: webhooks, event: events })
    .from(deliveries)
    .innerJoin(webhooks, eq(webhooks.id, deliveries.webhookId))
    .leftJoin(events, eq(events.id, deliveries.eventId))
    .where(and(eq(deliveries.webhookId, webhook), webhooks.active, isClaimable(now)))
    .orderBy(asc(turnAt(deliveries.nextAt, now, longestMs(BACK_OFF))), asc(deliveries.id))
    .limit(1)
    .get()
  if (!next) return null
  const [delivery] = await services.db.write((tx) =>
    tx
      .update(deliveries)
      .set({
        state: 'enviando',
        leaseUntil: later(now, LEASE_MS),
        fence: sql`fence + 1`,
        attempts: sql`attempts + 1`,
      })
      .where(and(eq(deliveries.id, next.id), isClaimable(now)))
      .returning(),
  )
  return delivery ? { delivery, webhook: next.webhook, event: next.event } : null
}

/** Notes what came of an attempt, unless another process has taken it over, and switches the webhook off if need be. */
export async function settle(
  services: Services,
  { delivery, webhook }: Pick<Claim, 'delivery' | 'webhook'>,
  outcome: Outcome,
): Promise<void> {
  const now = services.now()
  const { state, stop } = decideDelivery(outcome, delivery.attempts)
  await services.db.write(async (tx) => {
    const [mine] = await tx
      .update(deliveries)
      .set({
        ...outcome,
        state: state === 'en_cola' ? whileActive(webhook.id) : state,
        nextAt: nextTry(now, BACK_OFF, delivery.attempts),
        triedAt: now,
        leaseUntil: null,
      })
      .where(
        and(
          eq(deliveries.id, delivery.id),
          eq(deliveries.fence, delivery.fence),
          eq(deliveries.state, 'enviando'),
        ),
      )
      .returning({ id: deliveries.id })
    if (!mine) return
    if (state === 'entregada')
      tx.later(tx.update(webhooks).set({ deliveredAt: now }).where(eq(webhooks.id, webhook.id)))
    if (stop) await switchOff(tx, services, { webhook, stop, since: delivery.queuedAt })
  })
}

/** What waits for a webhook that is switched off meanwhile is given up. */
const whileActive = (id: string): SQL<Delivery['state']> =>
  sql`case when (select active from webhooks where id = ${id}) then 'en_cola' else 'abandonada' end`

type Stop = { webhook: Webhook; stop: NonNullable<Verdict['stop']> | 'demasiadas'; since: Date }

/** Switches a webhook off, gives up what waits for it, and tells the admins; not if it has taken anything `since`. */
export async function switchOff(tx: Tx, services: Services, { webhook, stop, since }: Stop): Promise<void> {
  const silent = or(isNull(webhooks.deliveredAt), lt(webhooks.deliveredAt, since))
  const [off] = await tx
    .update(webhooks)
    .set({ active: false, stopped: stop })
    .where(and(eq(webhooks.id, webhook.id), webhooks.active, stop === 'sin_entregas' ? silent : undefined))
    .returning({ id: webhooks.id })
  if (!off) return
  tx.later(giveUpWaiting(tx, webhook.id))
  enqueueMails(tx, services, {
    kind: 'aviso_apagado',
    payload: hostNote(webhook.url),
    to: await activeAdmins(tx),
  })
  recordAudit(tx, services, {
    actor: { kind: 'system' },
    operation: 'aviso.apagado',
    outcome: 'hecho',
    requestId: null,
    note: { target: webhook.id, detail: stopNote(webhook.url, stop) },
  })
}

/** Gives up all that waits for a webhook. */
export const giveUpWaiting = (tx: Tx, id: string): Query =>
  tx
    .update(deliveries)
    .set({ state: 'abandonada' })
    .where(and(eq(deliveries.webhookId, id), eq(deliveries.state, 'en_cola')))

/**
 * Ends the attempts of a dead process, so that they are made again at once instead of when their leases end. Call it
 * only if no other process works at all.
 */
export async function releaseDeliveries({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  await db.write(async (tx) => {
    tx.later(tx.update(deliveries).set({ leaseUntil: now() }).where(eq(deliveries.state, 'enviando')))
  })
}
