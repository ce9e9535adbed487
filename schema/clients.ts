import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { instant } from './columns.ts'
import {
  CLIENT_STATES,
  type FILE_CLASSES,
  HTTPS_STATES,
  type PAGE_STATUSES,
  RUN_REASONS,
  SITE_STATES,
} from './states.ts'

export const plans = sqliteTable('plans', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  name: text('name').notNull().unique(),
  diskBytes: integer('disk_bytes'),
  inodes: integer('inodes'),
  trafficBytes: integer('traffic_bytes'),
  sites: integer('sites'),
  aliases: integer('aliases'),
  zones: integer('zones'),
  cpuPercent: integer('cpu_percent'),
  memoryBytes: integer('memory_bytes'),
  processes: integer('processes'),
  sftpAccounts: integer('sftp_accounts'),
  databases: integer('databases'),
  databaseBytes: integer('database_bytes'),
  schedules: integer('schedules'),
  dailyMails: integer('daily_mails'),
  functions: text('functions', { mode: 'json' }).$type<string[]>().notNull(),
  createdAt: instant('created_at').notNull(),
})

/** Ids are never reused (autoincrement): files, users and sockets of a deleted client carry its id. */
export const clients = sqliteTable(
  'clients',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    name: text('name').notNull().unique(),
    reference: text('reference').unique(),
    displayName: text('display_name'),
    email: text('email'),
    language: text('language', { enum: ['es', 'en'] }).notNull(),
    state: text('state', { enum: CLIENT_STATES }).notNull(),
    reason: text('reason'),
    suspendedAt: instant('suspended_at'),
    planId: integer('plan_id').references(() => plans.id),
    node: text('node').notNull(),
    createdBy: text('created_by', { enum: ['token', 'persona'] }).notNull(),
    /** Nothing of it is changed or run for the seconds in which it changes its node. */
    moving: integer('moving', { mode: 'boolean' }).notNull().default(false),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    index('clients_plan').on(t.planId),
    index('clients_email').on(sql`lower(email)`),
    index('clients_state').on(t.state, t.name),
  ],
)

export const sites = sqliteTable(
  'sites',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    clientId: integer('client_id')
      .notNull()
      .references(() => clients.id),
    domain: text('domain').notNull().unique(),
    state: text('state', { enum: SITE_STATES }).notNull(),
    error: text('error'),
    php: text('php'),
    httpsOnly: integer('https_only', { mode: 'boolean' }).notNull(),
    certificateState: text('certificate_state', {
      enum: HTTPS_STATES,
    }).notNull(),
    certificateIssuer: text('certificate_issuer'),
    certificateExpiresAt: instant('certificate_expires_at'),
    certificateNames: text('certificate_names', { mode: 'json' }).$type<string[]>().notNull(),
    certificateError: text('certificate_error'),
    certificateAttempts: integer('certificate_attempts').notNull().default(0),
    certificateNextAt: instant('certificate_next_at'),
    /** What may be cached; null is nothing. */
    cache: text('cache', { mode: 'json' }).$type<SiteCache>(),
    /** What is served, below the site's folder; null is `public`. */
    webRoot: text('web_root'),
    /** The names of files that answer for a folder, the first first; null is what all sites have. */
    indexFiles: text('index_files', { mode: 'json' }).$type<string[]>(),
    singlePage: integer('single_page', { mode: 'boolean' }).notNull().default(false),
    redirects: text('redirects', { mode: 'json' }).$type<SiteRedirect[]>(),
    /** Files of the site that are answered in place of the panel's own pages; null is none. */
    errorPages: text('error_pages', { mode: 'json' }).$type<SiteErrorPages>(),
    /** Null: what PHP has where nobody says otherwise. */
    phpSettings: text('php_settings', { mode: 'json' }).$type<SitePhp>(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    index('sites_client').on(t.clientId, t.domain),
    index('sites_certificate').on(t.certificateNextAt),
    index('sites_https').on(t.certificateState, t.certificateExpiresAt),
  ],
)

export type SiteCache = {
  /** How long pages of programs are cached; null caches none. */
  seconds: number | null
  /** The query parameters that distinguish cached pages. */
  parameters: string[]
  /** Whether browsers keep pictures, styles and scripts for long. */
  files: boolean
  /** How long browsers keep files of a class; those left out follow `files`. */
  classes?: KeptClasses
}

export type KeptClasses = { [one in (typeof FILE_CLASSES)[number]]?: KeptClass | undefined }
/** `immutable`: not even asked for anew when a visitor reloads (RFC 8246). */
type KeptClass = { seconds: number; immutable: boolean }

export type SitePhp = {
  memoryBytes: number
  /** The largest request body. */
  uploadBytes: number
  seconds: number
  inputVariables: number
  /** Whether visitors are shown errors. */
  showErrors: boolean
}

/** Addresses of files by the status that they are answered with. */
export type SiteErrorPages = { [status in (typeof PAGE_STATUSES)[number]]?: string | undefined }

export type SiteRedirect = { from: string; to: string; status: number }

/** Parts of sites that a password opens. */
export const siteGuards = sqliteTable(
  'site_guards',
  {
    siteId: integer('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    path: text('path').notNull(),
    user: text('user').notNull(),
    /** Of a password of the panel's making; null before there is one. */
    secretHash: text('secret_hash'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.path] })],
)

/** A site's scheduled tasks. */
export const schedules = sqliteTable(
  'schedules',
  {
    id: text('id').primaryKey(),
    siteId: integer('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    clientId: integer('client_id')
      .notNull()
      .references(() => clients.id, { onDelete: 'cascade' }),
    pattern: text('pattern').notNull(),
    argv: text('argv', { mode: 'json' }).$type<string[]>().notNull(),
    active: integer('active', { mode: 'boolean' }).notNull(),
    nextAt: instant('next_at').notNull(),
    /** How far ahead `next_at` was when it was written; a longer wait means that the clock was set back since. */
    waitMs: integer('wait_ms').notNull(),
    /** Whether its last run failed, which was mailed. */
    failing: integer('failing', { mode: 'boolean' }).notNull().default(false),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    index('schedules_site').on(t.siteId, t.id),
    index('schedules_client').on(t.clientId),
    index('schedules_due').on(t.nextAt),
  ],
)

/** The last runs of each, by their jobs. */
export const scheduleRuns = sqliteTable(
  'schedule_runs',
  {
    job: text('job').primaryKey(),
    scheduleId: text('schedule_id')
      .notNull()
      .references(() => schedules.id, { onDelete: 'cascade' }),
    startedAt: instant('started_at').notNull(),
    /** Null while it runs. */
    ms: integer('ms'),
    code: integer('code'),
    output: text('output').notNull().default(''),
    reason: text('reason', { enum: RUN_REASONS }),
  },
  (t) => [index('schedule_runs_schedule').on(t.scheduleId, t.job)],
)

/** Every host name served by the panel, domain or alias: uniqueness across both is this table's key. */
export const siteNames = sqliteTable(
  'site_names',
  {
    name: text('name').primaryKey(),
    /** The name spelt backwards, so that all names below another are one range of the index. */
    reversed: text('reversed').notNull(),
    siteId: integer('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    clientId: integer('client_id')
      .notNull()
      .references(() => clients.id),
    alias: integer('alias', { mode: 'boolean' }).notNull(),
    position: integer('position').notNull(),
    /** When its client proved it; null while it was only granted. */
    provenAt: instant('proven_at'),
    /** When the resolvers are next asked about it while it is not proven; null means as soon as possible. */
    nextLookAt: instant('next_look_at'),
  },
  (t) => [
    index('site_names_look').on(t.nextLookAt).where(sql`proven_at is null`),
    index('site_names_site').on(t.siteId, t.position),
    index('site_names_client').on(t.clientId),
    index('site_names_reversed').on(t.reversed),
  ],
)

/**
 * A number for each name of a site, by which the index of the migration `name_search` finds it: the names' own table
 * has none that outlives a VACUUM. Triggers keep both.
 */
export const nameDocs = sqliteTable('name_docs', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  name: text('name').notNull().unique(),
})

/** What a client's control groups told when they were measured. */
export type MeasuredGroups = {
  memoryBytes: number | null
  processes: number | null
  /** Since the previous measurement; null if there was none. */
  lately: ({ since: number; cpuPercent: number | null } & Refused) | null
  /** As read, for the next comparison. */
  counters: GroupCounters
}
/**
 * Programs ended for lack of memory, processes not started, and seconds that programs had to wait for a processor;
 * null if the node's kernel does not count it.
 */
export type Refused = Record<'memory' | 'processes' | 'cpuSeconds', number | null>
/** Totals since the group was made. */
export type GroupCounters = Record<'cpuMicros' | 'memory' | 'processes' | 'throttledMicros', number | null>

/** Last measurement of each client; absent until the first. */
export const usage = sqliteTable(
  'usage',
  {
    clientId: integer('client_id')
      .primaryKey()
      .references(() => clients.id, { onDelete: 'cascade' }),
    measuredAt: instant('measured_at').notNull(),
    source: text('source', { enum: ['cuota', 'recorrido'] }).notNull(),
    diskBytes: integer('disk_bytes').notNull(),
    inodes: integer('inodes').notNull(),
    /** Null before the first time, and where the node has no control groups. */
    groups: text('groups', { mode: 'json' }).$type<MeasuredGroups>(),
    /** Highest warning sent for each resource: 0, 80 or 100, so that each goes out once. */
    warned: text('warned', { mode: 'json' }).$type<Record<string, number>>().notNull().default({}),
  },
  (t) => [index('usage_warned').on(t.clientId).where(sql`warned <> '{}'`)],
)

/** One row a client and UTC day: traffic adds up, disk and inodes are the day's last measurement. */
export const usageDays = sqliteTable(
  'usage_days',
  {
    clientId: integer('client_id')
      .notNull()
      .references(() => clients.id, { onDelete: 'cascade' }),
    day: text('day').notNull(),
    trafficIn: integer('traffic_in').notNull().default(0),
    trafficOut: integer('traffic_out').notNull().default(0),
    diskBytes: integer('disk_bytes'),
    inodes: integer('inodes'),
  },
  (t) => [uniqueIndex('usage_days_key').on(t.clientId, t.day)],
)
