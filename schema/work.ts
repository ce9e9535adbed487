import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { clients } from './clients.ts'
import { bytes, instant } from './columns.ts'
import {
  ACTOR_KINDS,
  DELIVERY_FAULTS,
  DELIVERY_STATES,
  EVENT_TYPES,
  IMPORT_KINDS,
  IMPORT_STATES,
  JOB_STATES,
  type PROGRESS_UNITS,
  WEBHOOK_STOPS,
} from './states.ts'

/** Background work that a committed change needs (transactional outbox). */
export const jobs = sqliteTable(
  'jobs',
  {
    id: text('id').primaryKey(),
    kind: text('kind').notNull(),
    /** The node that runs it; null if any worker may. */
    node: text('node'),
    /** Jobs of one subject run one after another; a pending one of the same kind and target is not queued twice. */
    subject: text('subject').notNull(),
    target: text('target').notNull(),
    clientName: text('client_name'),
    payload: text('payload', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    state: text('state', { enum: JOB_STATES }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    nextAt: instant('next_at').notNull(),
    leaseUntil: instant('lease_until'),
    /** Grows with every claim: a worker with an older fence changes nothing at its end. */
    fence: integer('fence').notNull().default(0),
    step: text('step'),
    /** Its progress, for those who wait; null if it reports none. */
    progress: text('progress', { mode: 'json' }).$type<JobProgress>(),
    /** Its result, once it is done. */
    result: text('result', { mode: 'json' }).$type<Record<string, unknown>>(),
    /** Whether it can be cancelled. */
    cancellable: integer('cancellable', { mode: 'boolean' }).notNull().default(false),
    /** When somebody cancelled it; it ends at the next point at which nothing is left half done. */
    cancelledAt: instant('cancelled_at'),
    error: text('error'),
    createdAt: instant('created_at').notNull(),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    index('jobs_due').on(t.state, t.nextAt),
    index('jobs_subject').on(t.subject, t.state),
    index('jobs_finished').on(t.finishedAt),
    uniqueIndex('jobs_pending').on(t.kind, t.subject, t.target).where(sql`state = 'pendiente'`),
  ],
)

export type JobProgress = { done: number; total: number | null; unit: (typeof PROGRESS_UNITS)[number] }

/** A lease that any number of processes may try to take: cron handlers, slots. */
export const leases = sqliteTable('leases', {
  name: text('name').primaryKey(),
  owner: text('owner').notNull(),
  until: instant('until').notNull(),
  lastRunAt: instant('last_run_at'),
  lastError: text('last_error'),
})

/** Mails to be sent; the payload never holds a secret: links are rendered from `linkId`. */
export const mails = sqliteTable(
  'mails',
  {
    id: text('id').primaryKey(),
    kind: text('kind').notNull(),
    recipient: text('recipient').notNull(),
    language: text('language', { enum: ['es', 'en'] }).notNull(),
    payload: text('payload', { mode: 'json' }).$type<Record<string, string>>().notNull(),
    linkId: text('link_id'),
    /** The node whose panel sends it, since its links lead there; null if any may. */
    node: text('node'),
    state: text('state', { enum: ['en_cola', 'enviando', 'enviado', 'fallido', 'anulado'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    nextAt: instant('next_at').notNull(),
    leaseUntil: instant('lease_until'),
    error: text('error'),
    createdAt: instant('created_at').notNull(),
    sentAt: instant('sent_at'),
  },
  (t) => [
    index('mails_due').on(t.state, t.nextAt),
    index('mails_link').on(t.linkId),
    index('mails_test').on(t.id).where(sql`kind = 'prueba'`),
  ],
)

/** First answers, replayed for a repeated Idempotency-Key; inserted in the effect's own transaction. */
export const idempotency = sqliteTable(
  'idempotency',
  {
    owner: text('owner').notNull(),
    key: text('key').notNull(),
    route: text('route').notNull(),
    bodyHash: bytes('body_hash').notNull(),
    status: integer('status').notNull(),
    headers: text('headers', { mode: 'json' }).$type<Record<string, string>>().notNull(),
    body: text('body').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.owner, t.key] }), index('idempotency_age').on(t.createdAt)],
)

export const audit = sqliteTable(
  'audit',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    at: instant('at').notNull(),
    actorKind: text('actor_kind', { enum: ACTOR_KINDS }).notNull(),
    actorId: text('actor_id'),
    actorName: text('actor_name').notNull(),
    impersonator: text('impersonator'),
    operation: text('operation').notNull(),
    clientName: text('client_name'),
    target: text('target'),
    /** `hecho`, or the error code of a refusal. */
    outcome: text('outcome').notNull(),
    requestId: text('request_id'),
    /** Where it came from; null for what the panel did, and in rows of older versions. */
    address: text('address'),
    detail: text('detail', { mode: 'json' }).$type<Record<string, unknown> | null>(),
  },
  (t) => [
    index('audit_client').on(t.clientName, t.id),
    index('audit_actor').on(t.actorName, t.id),
    index('audit_operation').on(t.operation, t.id),
  ],
)

/**
 * What has happened, in the order of the commits. Triggers of the database write it in the transaction of the change
 * (the migration `events` has them): no code can change a client or a site and leave its event out.
 */
export const events = sqliteTable(
  'events',
  {
    /** Above all before it, and not below the time in milliseconds. */
    id: integer('id').primaryKey(),
    at: instant('at').notNull(),
    type: text('type', { enum: EVENT_TYPES }).notNull(),
    client: text('client'),
    object: text('object'),
    data: text('data', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  },
  (table) => [index('events_at').on(table.at)],
)

/** Counters of limits that must hold across processes, by fixed window. */
export const counters = sqliteTable(
  'counters',
  {
    name: text('name').notNull(),
    window: integer('window').notNull(),
    count: integer('count').notNull(),
  },
  (t) => [primaryKey({ columns: [t.name, t.window] }), index('counters_window').on(t.window)],
)

export const settings = sqliteTable('settings', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
})

/** What running imports take, one row a thing: a row tells what is left to do, and what to take back. */
export const importItems = sqliteTable(
  'import_items',
  {
    id: integer('id').primaryKey(),
    /** The import's own, the same when it is begun again. */
    run: text('run').notNull(),
    clientId: integer('client_id')
      .notNull()
      .references(() => clients.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: IMPORT_KINDS }).notNull(),
    /** Its name in this panel. */
    name: text('name').notNull(),
    state: text('state', { enum: IMPORT_STATES }).notNull(),
    /** Whether this import made the site, database or zone of that name. */
    made: integer('made', { mode: 'boolean' }).notNull(),
    /** What was read of it in the archive. */
    wanted: text('wanted', { mode: 'json' }).$type<unknown>().notNull(),
    /** Why it failed: an error's code. */
    fault: text('fault'),
  },
  (t) => [index('import_items_run').on(t.run, t.id), index('import_items_client').on(t.clientId)],
)

/** What is sent to a webhook: some types of events, or with `*` all. */
export type WebhookTypes = ((typeof EVENT_TYPES)[number] | '*')[]

/** Where the operator's programs want to be told of events. */
export const webhooks = sqliteTable('webhooks', {
  id: text('id').primaryKey(),
  url: text('url').notNull(),
  types: text('types', { mode: 'json' }).$type<WebhookTypes>().notNull(),
  active: integer('active', { mode: 'boolean' }).notNull(),
  /** Why it is switched off. */
  stopped: text('stopped', { enum: WEBHOOK_STOPS }),
  /** Sealed under the key ring. */
  secret: text('secret').notNull(),
  /** The one before, sealed as well, which signs too until `replacedUntil`. */
  replacedSecret: text('replaced_secret'),
  replacedUntil: instant('replaced_until'),
  /** When it last took a delivery. */
  deliveredAt: instant('delivered_at'),
  createdAt: instant('created_at').notNull(),
})

/**
 * What is, or was, to be sent to a webhook. A trigger of the database queues it in the transaction of the event (the
 * migration `webhooks` has it), so that none is lost.
 */
export const deliveries = sqliteTable(
  'deliveries',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    webhookId: text('webhook_id')
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    /** Null for a test, which tells of nothing. */
    eventId: integer('event_id'),
    state: text('state', { enum: DELIVERY_STATES }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    queuedAt: instant('queued_at').notNull(),
    nextAt: instant('next_at').notNull(),
    leaseUntil: instant('lease_until'),
    /** Grows with each attempt: a process that was taken for dead changes nothing at its end. */
    fence: integer('fence').notNull().default(0),
    triedAt: instant('tried_at'),
    /** The HTTP status and the beginning of the body of the last reply; null if there was none. */
    status: integer('status'),
    reply: text('reply'),
    tookMs: integer('took_ms'),
    /** Why the last attempt failed. */
    fault: text('fault', { enum: DELIVERY_FAULTS }),
  },
  (t) => [
    index('deliveries_due').on(t.webhookId, t.state, t.nextAt),
    index('deliveries_webhook').on(t.webhookId, t.id),
    index('deliveries_age').on(t.queuedAt),
  ],
)
