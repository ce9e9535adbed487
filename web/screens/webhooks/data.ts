import type { ItemOf } from '../../api/operations.ts'

export type Webhook = ItemOf<'GET /api/avisos'>
export type Delivery = ItemOf<'GET /api/avisos/:id/entregas'>
export type WebhookType = Webhook['tipos'][number]

/** Where a webhook leads, for people: the host; the path may be long. */
export const hostOf = ({ url }: Pick<Webhook, 'url'>): string => new URL(url).host

/** A webhook is looked at again this often while something waits for it. */
const WORKING_MS = 2_000
const LOOK_MS = 15_000
export const lookAgain = (isWaiting: boolean): number => (isWaiting ? WORKING_MS : LOOK_MS)
