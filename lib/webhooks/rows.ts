import type { deliveries, webhooks } from '../../schema/tables.ts'

export type Webhook = typeof webhooks.$inferSelect
export type Delivery = typeof deliveries.$inferSelect
