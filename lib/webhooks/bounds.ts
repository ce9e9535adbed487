import { and, count, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import { deliveries, webhooks } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import type { Db, Tx } from '../store/database.ts'
import type { Query } from '../store/reading.ts'
import { isDue } from '../work/clock.ts'
import { switchOff } from './queue.ts'
import { OVERLAP_MS } from './secret.ts'

/** How many ended deliveries are kept of each. */
const MOST_KEPT = 5000
/** How many may wait for it: beyond, it is switched off. `GET /eventos` still tells what it missed. */
export const MOST_WAITING = 10_000
/** How long deliveries are kept. */
const KEEP_MS = 30 * 24 * 3_600_000

const ENDED = ['entregada', 'abandonada'] as const

/** Bounds what is kept of a webhook and what waits for it. */
export async function bound(services: Services, id: string): Promise<void> {
  const { read } = services.db
  const of = eq(deliveries.webhookId, id)
  const [oldest, [waits]] = await Promise.all([
    oldestKept(read, id),
    read
      .select({ count: count() })
      .from(deliveries)
      .where(and(of, eq(deliveries.state, 'en_cola'))),
  ])
  const tooMany = (waits?.count ?? 0) > MOST_WAITING
  if (!oldest && !tooMany) return
  await services.db.write(async (tx) => {
    const ended = and(of, inArray(deliveries.state, [...ENDED]), lt(deliveries.id, oldest?.id ?? 0))
    tx.later(tx.delete(deliveries).where(ended))
    const webhook = tooMany ? await tx.select().from(webhooks).where(eq(webhooks.id, id)).get() : undefined
    if (webhook) await switchOff(tx, services, { webhook, stop: 'demasiadas', since: services.now() })
  })
}

const selectOldest = (db: Db, id: string) =>
  db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.webhookId, id), inArray(deliveries.state, [...ENDED])))
    .orderBy(desc(deliveries.id))
    .limit(1)
    .offset(MOST_KEPT)

const oldestKept = (db: Db, id: string) => selectOldest(db, id).get()

/** Forgets the ended deliveries of a webhook beyond those that are kept: also of one that is only tried out. */
export const queueForgettingOld = (tx: Tx, id: string): Query =>
  tx
    .delete(deliveries)
    .where(
      and(
        eq(deliveries.webhookId, id),
        inArray(deliveries.state, [...ENDED]),
        lt(deliveries.id, selectOldest(tx, id)),
      ),
    )

/** Forgets old deliveries, and secrets that no longer sign. */
export const queueWebhookSweep = (tx: Tx, now: Date): Query[] => [
  tx
    .delete(deliveries)
    .where(
      and(inArray(deliveries.state, [...ENDED]), lt(deliveries.queuedAt, new Date(now.getTime() - KEEP_MS))),
    ),
  tx
    .update(webhooks)
    .set({ replacedSecret: null, replacedUntil: null })
    .where(and(sql`${webhooks.replacedUntil} is not null`, isDue(webhooks.replacedUntil, now, OVERLAP_MS))),
]
