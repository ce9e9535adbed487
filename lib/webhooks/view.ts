import { asc, count, desc, eq, gt, lt, type SQL, sql } from 'drizzle-orm'
import { deliveries, events, webhooks } from '../../schema/tables.ts'
import { wireTime } from '../endpoint/page.ts'
import type { Event } from '../events/view.ts'
import type { Db } from '../store/database.ts'
import { type Reading, reading } from '../store/reading.ts'
import { longestMs } from '../work/back-off.ts'
import { waitsUntil } from '../work/clock.ts'
import { BACK_OFF } from './decide.ts'
import { TEST_TYPE } from './message.ts'
import type { Delivery, Webhook } from './rows.ts'
import { overlapEnd } from './secret.ts'
import type { DeliveryView, WebhookView } from './shapes.ts'

const waiting = (also: SQL) =>
  sql<number>`(select count(*) from deliveries
    where webhook_id = webhooks.id and state in ('en_cola', 'enviando') and ${also})`

const COLUMNS = { webhook: webhooks, waits: waiting(sql`1`), failed: waiting(sql`fault is not null`) }

type WebhookRow = { webhook: Webhook; waits: number; failed: number }

export function webhookView({ webhook, waits, failed }: WebhookRow, now: Date): WebhookView {
  return {
    id: webhook.id,
    url: webhook.url,
    tipos: webhook.types,
    activo: webhook.active,
    motivo: webhook.stopped,
    en_cola: waits,
    fallidas: failed,
    ultima_entrega: wireTime(webhook.deliveredAt),
    secreto_anterior_hasta: wireTime(overlapEnd(webhook, now)),
    creado: wireTime(webhook.createdAt),
  }
}

/** Webhooks in the order of their keys; `after` is the last one of the page before. */
export const webhookRows = (db: Db, after: string | undefined, limit: number) =>
  db
    .select(COLUMNS)
    .from(webhooks)
    .where(after === undefined ? undefined : gt(webhooks.id, after))
    .orderBy(asc(webhooks.id))
    .limit(limit)

/** One webhook as it is returned; null if there is none of that id. */
export const webhookReading = (db: Db, id: string, now: Date): Reading<WebhookView | null> =>
  reading(db.select(COLUMNS).from(webhooks).where(eq(webhooks.id, id)), ([row]) =>
    row ? webhookView(row, now) : null,
  )

/** A delivery, and the event that it tells of; a test has none. */
export type DeliveryRow = { delivery: Delivery; event: Event | null }

export function deliveryView({ delivery, event }: DeliveryRow, now: Date): DeliveryView {
  const { state, status, eventId } = delivery
  return {
    id: String(delivery.id),
    evento: eventId === null ? null : String(eventId),
    tipo: event?.type ?? TEST_TYPE,
    cliente: event?.client ?? null,
    objeto: event?.object ?? null,
    estado: state,
    intentos: delivery.attempts,
    creada: wireTime(delivery.queuedAt),
    ultimo_intento: wireTime(delivery.triedAt),
    proximo_intento: wireTime(
      state === 'en_cola' ? waitsUntil(delivery.nextAt, now, longestMs(BACK_OFF)) : null,
    ),
    contestacion: status === null ? null : { estado: status, cuerpo: delivery.reply ?? '' },
    duracion_ms: delivery.tookMs,
    fallo: delivery.fault,
  }
}

/** The deliveries that match, the latest first. */
export const deliveryRows = (db: Db, which: SQL | undefined, limit: number) =>
  db
    .select({ delivery: deliveries, event: events })
    .from(deliveries)
    .leftJoin(events, eq(events.id, deliveries.eventId))
    .where(which)
    .orderBy(desc(deliveries.id))
    .limit(limit)

/** What an audit row has of where a webhook leads: not its path, which may be a secret. */
export const hostNote = (url: string) => ({ destino: new URL(url).host })

/** The same where the panel switched it off. */
export const stopNote = (url: string, motivo: Webhook['stopped']) => ({ ...hostNote(url), motivo })

/** How many webhooks there are. */
export const webhookCount = (db: Db) => db.select({ count: count() }).from(webhooks)

/** Deliveries below a key, which is the last one of the page before. */
export const before = (key: number): SQL => lt(deliveries.id, key)
