import type { Services } from '../endpoint/context.ts'
import { rootMessage } from '../text/root-message.ts'
import { bound } from './bounds.ts'
import { messageOf } from './message.ts'
import { type Claim, claimNext, settle, webhooksDue } from './queue.ts'
import { openSecrets } from './secret.ts'
import { sendOnce } from './send.ts'

/** How often a run looks for what has become due while a slow webhook keeps it from ending. */
const LOOK_MS = 1000
/** A function's invocation does not live long: after this time it begins no further attempt. */
const FUNCTION_BUDGET_MS = 20_000
/** How long a webhook is served at a stretch: then what waits for it is bounded, however much is due. */
const STRETCH_MS = 60_000
/** How long one that failed is left alone by a run that goes on for others. */
const REST_MS = 30_000

/** Whether any delivery is due, without taking the write lock. */
export const deliveriesDue = async ({ db, now }: Services): Promise<boolean> =>
  (await webhooksDue(db.read, now())).length > 0

/**
 * Delivers all that is due; answers how much was taken. Each webhook has one attempt at a time, so that it gets its
 * events in order and one that hangs holds up no other. After a failure it is left alone for a while.
 */
export async function deliverDue(services: Services): Promise<number> {
  const ends =
    services.config.node === null ? performance.now() + FUNCTION_BUDGET_MS : Number.POSITIVE_INFINITY
  const lanes = new Map<string, Promise<void>>()
  const rests = new Map<string, number>()
  const rest = (webhook: string) => rests.set(webhook, performance.now() + REST_MS)
  let taken = 0
  const run = async (webhook: string) => {
    const until = Math.min(ends, performance.now() + STRETCH_MS)
    while (performance.now() < until) {
      const took = await deliverNext(services, webhook)
      if (took === true) taken++
      if (took === false) rest(webhook)
      if (took !== true) break
    }
    await bound(services, webhook)
  }
  for (;;) {
    for (const webhook of performance.now() < ends
      ? await webhooksDue(services.db.read, services.now())
      : []) {
      if (lanes.has(webhook) || performance.now() < (rests.get(webhook) ?? 0)) continue
      const lane = run(webhook)
        .catch((error) => {
          rest(webhook)
          services.log('error', 'webhook run failed', { webhook, reason: rootMessage(error) })
        })
        .finally(() => lanes.delete(webhook))
      lanes.set(webhook, lane)
    }
    if (lanes.size === 0) return taken
    await Promise.race([...lanes.values(), pause(LOOK_MS)])
  }
}

/** Makes the next attempt of a webhook: whether it was taken, or null if nothing is due. */
async function deliverNext(services: Services, webhook: string): Promise<boolean | null> {
  const claim = await claimNext(services, webhook)
  if (!claim) return null
  const outcome = await attempt(services, claim)
  await settle(services, claim, outcome)
  const { id, attempts } = claim.delivery
  if (outcome.fault !== null) {
    const about = { webhook, delivery: id, attempt: attempts, fault: outcome.fault, status: outcome.status }
    services.log('warn', 'webhook not delivered', about)
  }
  return outcome.fault === null
}

async function attempt(services: Services, { delivery, webhook, event }: Claim) {
  const secrets = await openSecrets(services, webhook, services.now())
  return sendOnce(services, { url: webhook.url, message: messageOf(event, delivery), secrets })
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
