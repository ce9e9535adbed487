import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { clients, sites } from './clients.ts'
import { instant } from './columns.ts'
import { ACTOR_KINDS } from './states.ts'

/** A zone of the panel's own DNS; these tables are the truth, PowerDNS holds a published copy. */
export const zones = sqliteTable(
  'zones',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    clientId: integer('client_id')
      .notNull()
      .references(() => clients.id),
    name: text('name').notNull().unique(),
    /** The name spelt backwards, so that all names below another are one range of the index. */
    reversed: text('reversed').notNull(),
    node: text('node').notNull(),
    serial: integer('serial').notNull(),
    publishedSerial: integer('published_serial'),
    error: text('error'),
    dnssec: integer('dnssec', { mode: 'boolean' }).notNull().default(false),
    ds: text('ds', { mode: 'json' }).$type<string[]>().notNull().default([]),
    /** The site that the zone was made for; deleting the site deletes the zone unless `customised`. */
    siteId: integer('site_id').references(() => sites.id, { onDelete: 'set null' }),
    customised: integer('customised', { mode: 'boolean' }).notNull().default(false),
    /** Addresses and names that the panel's own records were last made from; null in zones of earlier versions. */
    followed: text('followed', { mode: 'json' }).$type<FollowedDefaults | null>(),
    state: text('state', { enum: ['activa', 'eliminando'] })
      .notNull()
      .default('activa'),
    /** When its client proved it; null while it was only granted. */
    provenAt: instant('proven_at'),
    /** Where resolvers say that its parent zone delegates it; null before the first look. */
    delegation: text('delegation', { mode: 'json' }).$type<Delegation | null>(),
    /** When the resolvers are asked next; null means as soon as possible. */
    nextLookAt: instant('next_look_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    index('zones_look').on(t.nextLookAt),
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

/**
 * A number for each record set, by which the index of the migration `record_search` finds it: the record sets' own key
 * has none that outlives a VACUUM. Triggers keep both.
 */
export const recordDocs = sqliteTable(
  'record_docs',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    zoneId: integer('zone_id')
      .notNull()
      .references(() => zones.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    type: text('type').notNull(),
  },
  (t) => [uniqueIndex('record_docs_key').on(t.zoneId, t.name, t.type)],
)

/**
 * Each change of a zone's records, kept by triggers (the migration `zone_history`), so that whichever code
 * makes one is in it. Who made it is null where the panel did by itself.
 */
export const zoneChanges = sqliteTable(
  'zone_changes',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    zoneId: integer('zone_id')
      .notNull()
      .references(() => zones.id, { onDelete: 'cascade' }),
    serial: integer('serial').notNull(),
    /** How large the contents are that it holds; a trigger bounds those of a zone. */
    bytes: integer('bytes').notNull().default(0),
    at: instant('at').notNull(),
    actorKind: text('actor_kind', { enum: ACTOR_KINDS }),
    actorName: text('actor_name'),
    impersonator: text('impersonator'),
  },
  (t) => [index('zone_changes_zone').on(t.zoneId, t.id)],
)

/** The record sets of each change, as they were before and after; null where there was none. */
export const zoneChangeSets = sqliteTable(
  'zone_change_sets',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** Null within the transaction until the zone gets its next serial. */
    changeId: integer('change_id').references(() => zoneChanges.id, { onDelete: 'cascade' }),
    zoneId: integer('zone_id')
      .notNull()
      .references(() => zones.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    type: text('type').notNull(),
    before: text('before', { mode: 'json' }).$type<SetContent | null>(),
    after: text('after', { mode: 'json' }).$type<SetContent | null>(),
  },
  (t) => [
    index('zone_change_sets_zone').on(t.zoneId, t.id),
    index('zone_change_sets_change').on(t.changeId, t.id),
  ],
)

export type SetContent = { ttl: number; values: string[] }

/** `apex`: the zone's own name has the node's addresses, and so have its name servers inside the zone. */
export type FollowedDefaults = { addresses: string[]; nameServers: string[]; apex: boolean }

/**
 * `aqui`: to the node's name servers alone; `parcial`: to others too; `fuera`: only to others; `ninguna`: no name
 * server is named for the zone; `sin_respuesta`: the resolvers could not tell.
 */
export const DELEGATIONS = ['aqui', 'parcial', 'fuera', 'ninguna', 'sin_respuesta'] as const
/** `servers` are those seen, without the last dot; `at` is in milliseconds. */
export type Delegation = { state: (typeof DELEGATIONS)[number]; servers: string[]; at: number }
