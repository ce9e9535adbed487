import type { DELIVERY_FAULTS, WEBHOOK_STOPS } from '../../schema/states.ts'
import type { BackOff } from '../work/back-off.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** The waits between attempts, three days in all (Standard Webhooks, "Retry schedule"). */
export const BACK_OFF: BackOff = {
  waitsMs: [
    5 * SECOND_MS,
    5 * MINUTE_MS,
    30 * MINUTE_MS,
    2 * HOUR_MS,
    5 * HOUR_MS,
    10 * HOUR_MS,
    14 * HOUR_MS,
    20 * HOUR_MS,
    24 * HOUR_MS,
  ],
  spread: 0,
}
/** The first attempt, and one after each wait. */
export const MAX_ATTEMPTS = BACK_OFF.waitsMs.length + 1

/** What came of an attempt: an HTTP status with the beginning of the body, or why there was none. */
export type Outcome = {
  status: number | null
  reply: string | null
  fault: (typeof DELIVERY_FAULTS)[number] | null
  tookMs: number
}

/** `stop`: the webhook is switched off; after `sin_entregas` only if it has taken nothing in all that time. */
export type Verdict = {
  state: 'entregada' | 'en_cola' | 'abandonada'
  stop: Extract<(typeof WEBHOOK_STOPS)[number], 'ya_no_existe' | 'sin_entregas'> | null
}

/** What becomes of a delivery after its nth attempt. */
export function decideDelivery(
  { status, fault }: Pick<Outcome, 'status' | 'fault'>,
  attempts: number,
): Verdict {
  if (fault === null) return { state: 'entregada', stop: null }
  if (status === 410) return { state: 'abandonada', stop: 'ya_no_existe' }
  if (attempts < MAX_ATTEMPTS) return { state: 'en_cola', stop: null }
  return { state: 'abandonada', stop: 'sin_entregas' }
}
