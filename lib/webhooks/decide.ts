import type { DELIVERY_FAULTS, WEBHOOK_STOPS } from '../../schema/states.ts'
import type { Actor } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import type { BackOff } from '../work/back-off.ts'
import type { Webhook } from './rows.ts'

/** How many webhooks there can be: each has an attempt of its own in flight. */
export const MOST_WEBHOOKS = 20
/** How often each is tried out within a minute: somebody's server has to take it, and a request waits for the reply. */
export const TESTS_PER_MINUTE = 6

/** Refuses one webhook more than there can be. */
export function decideNew(there: number): void {
  if (there >= MOST_WEBHOOKS) throw new AppError('demasiados_avisos', { maximo: MOST_WEBHOOKS })
}

/** 404 `aviso_no_existe` where there is none. */
export function requireWebhook<T>(found: T | undefined): T {
  if (found === undefined) throw new AppError('aviso_no_existe')
  return found
}

/** Refuses to send again what there is not, or while nothing is sent there. */
export function decideRepeat<D>(webhook: Pick<Webhook, 'active'>, delivery: D | undefined): D {
  if (delivery === undefined) throw new AppError('entrega_no_existe')
  if (!webhook.active) throw new AppError('aviso_apagado')
  return delivery
}

type Change = { url: string | undefined; types: Webhook['types'] | undefined; active: boolean | undefined }

/** A token must not move a webhook: what is signed with the secret would go elsewhere. */
export function requireMover(actor: Actor, url: string | undefined): void {
  if (url !== undefined && actor.kind === 'token') throw new AppError('no_con_token')
}

/** What a webhook becomes. */
export function decideChange(
  { url, types, active, stopped }: Pick<Webhook, 'url' | 'types' | 'active' | 'stopped'>,
  wanted: Change,
): Pick<Webhook, 'url' | 'types' | 'active' | 'stopped'> {
  const isOn = wanted.active ?? active
  return {
    url: wanted.url ?? url,
    types: wanted.types === undefined ? types : [...new Set(wanted.types)],
    active: isOn,
    stopped: isOn ? null : (stopped ?? 'a_mano'),
  }
}

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
