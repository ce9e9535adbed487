import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { instant } from './columns.ts'
import { MIRROR_STATES, type Verdict } from './states.ts'
import { zones } from './zones.ts'

/**
 * The provider account of a node, with the slot of its queue: `next_slot_at`, `lease_until` and `fence`
 * are changed in the transaction that claims a zone, so that any number of workers share one slot.
 */
export const dnsAccounts = sqliteTable('dns_accounts', {
  node: text('node').primaryKey(),
  kind: text('kind').notNull(),
  /** AES-256-GCM under the key ring, bound to this table, row and column. */
  credential: text('credential').notNull(),
  account: text('account'),
  url: text('url'),
  /** Grows with every new credential: a refusal of an older one says nothing about it. */
  epoch: integer('epoch').notNull(),
  used: integer('used'),
  apiLimit: integer('api_limit'),
  adminLimit: integer('admin_limit'),
  learnedLimit: integer('learned_limit'),
  /** Highest quota warning that was mailed: 0, 80 or 95. */
  warned: integer('warned').notNull().default(0),
  refusedAt: instant('refused_at'),
  pausedUntil: instant('paused_until'),
  /** Failures of the provider itself in a row, over all zones. */
  failures: integer('failures').notNull().default(0),
  /** Set while the account waits for its zones to be removed. */
  removing: integer('removing', { mode: 'boolean' }).notNull().default(false),
  nextSlotAt: instant('next_slot_at').notNull(),
  leaseUntil: instant('lease_until'),
  fence: integer('fence').notNull(),
  /** Turns in a row that did not go to a daily comparison. */
  urgentTurns: integer('urgent_turns').notNull().default(0),
  checkedAt: instant('checked_at').notNull(),
  createdAt: instant('created_at').notNull(),
})

/**
 * One row a mirrored zone: its state, its proof of ownership and its place in the queue. It outlives the
 * panel's zone until the copy is gone, so the zone's name is its key.
 */
export const mirrors = sqliteTable(
  'mirrors',
  {
    zone: text('zone').primaryKey(),
    zoneId: integer('zone_id').references(() => zones.id, { onDelete: 'set null' }),
    node: text('node').notNull(),
    clientName: text('client_name').notNull(),
    kind: text('kind').notNull(),
    state: text('state', {
      enum: MIRROR_STATES,
    }).notNull(),
    reason: text('reason'),
    error: text('error'),
    nonce: text('nonce'),
    intentAt: instant('intent_at'),
    remoteId: text('remote_id'),
    servers: text('servers', { mode: 'json' }).$type<string[]>().notNull().default([]),
    serial: integer('serial'),
    syncedAt: instant('synced_at'),
    lastChange: text('last_change', { mode: 'json' }).$type<MirrorChange | null>(),
    omitted: text('omitted', { mode: 'json' }).$type<MirrorOmission[]>().notNull().default([]),
    /** What the resolvers last answered. */
    answers: text('answers', { mode: 'json' }).$type<MirrorAnswer[]>().notNull().default([]),
    checkedAt: instant('checked_at'),
    nextCheckAt: instant('next_check_at'),
    /** When the first of two negative verdicts came. */
    negativeAt: instant('negative_at'),
    /** Since when no verdict has been conclusive. */
    inconclusiveSince: instant('inconclusive_since'),
    /** Null where there is nothing to do. */
    nextAt: instant('next_at'),
    /** One of `URGENCY`. */
    urgency: integer('urgency').notNull().default(0),
    /** Each request for a run raises it, so that one during a run starts another. */
    generation: integer('generation').notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    leaseUntil: instant('lease_until'),
    fence: integer('fence').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    index('mirrors_due').on(t.node, t.nextAt),
    index('mirrors_check').on(t.node, t.nextCheckAt),
    index('mirrors_zone').on(t.zoneId),
    index('mirrors_state').on(t.state),
    index('mirrors_client').on(t.clientName),
  ],
)

export type MirrorChange = { created: number; changed: number; deleted: number }
export type MirrorOmission = { name: string; type: string; reason: string }
export type MirrorAnswer = {
  resolver: string
  resultado: Verdict
  visto: string[]
}
