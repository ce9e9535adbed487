import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { clients, sites } from './clients.ts'
import { instant } from './columns.ts'

/** A zone of the panel's own DNS; these tables are the truth, PowerDNS holds a published copy. */
export const zones = sqliteTable(
  'zones',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    clientId: integer('client_id')
      .notNull()
      .references(() => clients.id),
    name: text('name').notNull().unique(),
    /** From its end to its start: the names below another are one range. */
    reversed: text('reversed').notNull(),
    node: text('node').notNull(),
    serial: integer('serial').notNull(),
    publishedSerial: integer('published_serial'),
    error: text('error'),
    dnssec: integer('dnssec', { mode: 'boolean' }).notNull().default(false),
    ds: text('ds', { mode: 'json' }).$type<string[]>().notNull().default([]),
    /** The site that brought the zone with it; it goes with that site while `customised` is false. */
    siteId: integer('site_id').references(() => sites.id, { onDelete: 'set null' }),
    customised: integer('customised', { mode: 'boolean' }).notNull().default(false),
    /** What the records of the system were last made from; null in zones of earlier versions. */
    followed: text('followed', { mode: 'json' }).$type<FollowedDefaults | null>(),
    state: text('state', { enum: ['activa', 'eliminando'] })
      .notNull()
      .default('activa'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    index('zones_client').on(t.clientId, t.name),
    index('zones_node').on(t.node),
    index('zones_reversed').on(t.reversed),
  ],
)

/** Record sets in canonical presentation form; `name` is relative to the zone, `@` the apex. */
export const rrsets = sqliteTable(
  'rrsets',
  {
    zoneId: integer('zone_id')
      .notNull()
      .references(() => zones.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    type: text('type').notNull(),
    ttl: integer('ttl').notNull(),
    values: text('values', { mode: 'json' }).$type<string[]>().notNull(),
    origin: text('origin', { enum: ['sistema', 'usuario'] }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.zoneId, t.name, t.type] })],
)

/** `apex`: the zone's own name has the node's addresses, as its name servers do that lie inside it. */
export type FollowedDefaults = { addresses: string[]; nameServers: string[]; apex: boolean }
