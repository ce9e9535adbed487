import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { instant } from './columns.ts'

/** Nodes that have ever served this database; a node writes its own row. */
export const nodes = sqliteTable('nodes', {
  name: text('name').primaryKey(),
  addresses: text('addresses', { mode: 'json' }).$type<string[]>().notNull(),
  nameServers: text('name_servers', { mode: 'json' }).$type<string[]>().notNull(),
  services: text('services', { mode: 'json' }).$type<NodeService[]>().notNull(),
  capacity: text('capacity', { mode: 'json' }).$type<NodeCapacity | null>(),
  version: text('version').notNull(),
  /** Where its panel is, for links in mails that another host sends; null from older versions. */
  origin: text('origin'),
  startedAt: instant('started_at').notNull(),
  seenAt: instant('seen_at').notNull(),
  /** How far the web server's log has been read (its inode and offset), with the day's sums in usage_days. */
  trafficCursor: text('traffic_cursor'),
})

/** Nodes that were given up: such a name never serves again, whatever its machine still holds. */
export const lostNodes = sqliteTable('lost_nodes', {
  name: text('name').primaryKey(),
  givenUpAt: instant('given_up_at').notNull(),
})

export type NodeService = { name: string; running: boolean; version: string | null; advice: Advice | null }
/** In both languages; earlier versions wrote one text. */
type Advice = { es: string; en: string } | string
export type NodeCapacity = {
  diskBytes: number
  diskFreeBytes: number
  inodes: number | null
  inodesFree: number | null
  memoryBytes: number
  load: number
  /** What its clients' sites may have there, for hosts that are no node; absent from older versions' rows. */
  offers?: { php: string[]; certificates: boolean }
}

export const plans = sqliteTable('plans', {
  id: integer('id').primaryKey({ autoIncrement: true }),
  name: text('name').notNull().unique(),
  diskBytes: integer('disk_bytes'),
  inodes: integer('inodes'),
  trafficBytes: integer('traffic_bytes'),
  sites: integer('sites'),
  aliases: integer('aliases'),
  zones: integer('zones'),
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
    state: text('state', { enum: ['activo', 'suspendido', 'eliminando'] }).notNull(),
    reason: text('reason'),
    suspendedAt: instant('suspended_at'),
    planId: integer('plan_id').references(() => plans.id),
    node: text('node').notNull(),
    createdBy: text('created_by', { enum: ['token', 'persona'] }).notNull(),
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
    state: text('state', { enum: ['preparando', 'activo', 'suspendido', 'error', 'eliminando'] }).notNull(),
    error: text('error'),
    php: text('php'),
    httpsOnly: integer('https_only', { mode: 'boolean' }).notNull(),
    certificateState: text('certificate_state', {
      enum: ['autofirmado', 'pendiente', 'activo', 'error'],
    }).notNull(),
    certificateIssuer: text('certificate_issuer'),
    certificateExpiresAt: instant('certificate_expires_at'),
    certificateNames: text('certificate_names', { mode: 'json' }).$type<string[]>().notNull(),
    certificateError: text('certificate_error'),
    certificateAttempts: integer('certificate_attempts').notNull().default(0),
    certificateNextAt: instant('certificate_next_at'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('sites_client').on(t.clientId, t.domain), index('sites_certificate').on(t.certificateNextAt)],
)

/** Every host name served by the panel, domain or alias: uniqueness across both is this table's key. */
export const siteNames = sqliteTable(
  'site_names',
  {
    name: text('name').primaryKey(),
    /** From its end to its start: the names below another are one range. */
    reversed: text('reversed').notNull(),
    siteId: integer('site_id')
      .notNull()
      .references(() => sites.id, { onDelete: 'cascade' }),
    clientId: integer('client_id')
      .notNull()
      .references(() => clients.id),
    alias: integer('alias', { mode: 'boolean' }).notNull(),
    position: integer('position').notNull(),
  },
  (t) => [
    index('site_names_site').on(t.siteId, t.position),
    index('site_names_client').on(t.clientId),
    index('site_names_reversed').on(t.reversed),
  ],
)

/** Last measurement of each client; absent until the first. */
export const usage = sqliteTable('usage', {
  clientId: integer('client_id')
    .primaryKey()
    .references(() => clients.id, { onDelete: 'cascade' }),
  measuredAt: instant('measured_at').notNull(),
  source: text('source', { enum: ['cuota', 'recorrido'] }).notNull(),
  diskBytes: integer('disk_bytes').notNull(),
  inodes: integer('inodes').notNull(),
  /** Highest warning sent for each resource: 0, 80 or 100, so that each goes out once. */
  warned: text('warned', { mode: 'json' }).$type<Record<string, number>>().notNull().default({}),
})

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
