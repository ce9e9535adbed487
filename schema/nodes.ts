import { integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { clients, type Refused } from './clients.ts'
import { instant } from './columns.ts'
import { MOVE_PHASES, MOVE_WAITS } from './states.ts'

/** Nodes that have ever served this database; a node writes its own row. */
export const nodes = sqliteTable('nodes', {
  name: text('name').primaryKey(),
  addresses: text('addresses', { mode: 'json' }).$type<string[]>().notNull(),
  nameServers: text('name_servers', { mode: 'json' }).$type<string[]>().notNull(),
  services: text('services', { mode: 'json' }).$type<NodeService[]>().notNull(),
  capacity: text('capacity', { mode: 'json' }).$type<NodeCapacity | null>(),
  version: text('version').notNull(),
  /** The address of its panel, for links in mails that another host sends; null from older versions. */
  origin: text('origin'),
  startedAt: instant('started_at').notNull(),
  seenAt: instant('seen_at').notNull(),
  /** How far the web server's log has been read (its inode and offset), with the day's sums in usage_days. */
  trafficCursor: text('traffic_cursor'),
})

/** Nodes that were given up: a machine that returns under such a name serves nothing. */
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
  /** Missing in rows of older versions. */
  processors?: number
  /** What programs could have; null where the kernel does not say. */
  memoryAvailableBytes?: number | null
  /** Whether its file system counts what each client has; null without sites. */
  quota?: boolean | null
  /** What sites on this node can have, for function hosts; missing in rows of older versions. */
  offers?: {
    php: string[]
    /** Of each version of PHP; missing in rows of older versions. */
    extensions?: Record<string, string[]>
    certificates: boolean
    /** Whether programs can send mail. */
    mail?: boolean
    databases?: NodeDatabases | null
  }
  /** Where SFTP accounts sign in; null where they cannot. */
  sftp?: { port: number; fingerprints: string[] } | null
  /** Clients that took more than a fair share of the node, or hit a limit; null without control groups. */
  heavy?: HeavyClient[] | null
}

/** How the databases of a node's clients are reached there. */
export type NodeDatabases = { socket: string; port: number; userPrefix: string }

/**
 * A client's use of its node, its limits there, and how often they refused something since its use was last measured.
 */
export type HeavyClient = {
  client: string
  cpuPercent: number | null
  memoryBytes: number | null
  memoryLimit: number | null
  processes: number | null
  processLimit: number | null
  /** The client's share of the node; 1 or more is above a fair share. */
  weight: number
  refused: ({ since: number } & Refused) | null
}

/**
 * One row a node and UTC hour (`2026-11-21T09`). Traffic and processor time add up; of memory and disk it is the most
 * that was used.
 */
export const nodeHours = sqliteTable(
  'node_hours',
  {
    node: text('node').notNull(),
    hour: text('hour').notNull(),
    busySeconds: real('busy_seconds').notNull().default(0),
    idleSeconds: real('idle_seconds').notNull().default(0),
    memoryBytes: integer('memory_bytes'),
    diskBytes: integer('disk_bytes'),
    trafficIn: integer('traffic_in').notNull().default(0),
    trafficOut: integer('traffic_out').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.node, t.hour] })],
)

/** What a node may have of a client besides its tree: it is told to the node, since the rows may be gone by then. */
export type Belongings = {
  hosts: string[]
  zones: string[]
  held: { databaseId: number; name: string }[]
  /** Absent in what older versions wrote. */
  sites?: { siteId: number; domain: string }[]
}

/** A client's move to another node, until it is confirmed or taken back. */
export const moves = sqliteTable('moves', {
  clientId: integer('client_id')
    .primaryKey()
    .references(() => clients.id, { onDelete: 'cascade' }),
  source: text('source').notNull(),
  target: text('target').notNull(),
  phase: text('phase', { enum: MOVE_PHASES }).notNull(),
  /** The job that does it, each part on the node whose turn it is. */
  job: text('job').notNull(),
  /** The copy of what was served, and the one of what was closed. */
  firstCopy: text('first_copy').notNull(),
  lastCopy: text('last_copy').notNull(),
  /** Keys of zones and certificates, sealed like a repository's key; null unless they are on their way. */
  carried: text('carried'),
  /**
   * What the node where the client does not live has of it, whatever is deleted meanwhile: before the switch the target,
   * after it the source.
   */
  kept: text('kept', { mode: 'json' }).$type<Belongings>(),
  startedAt: instant('started_at').notNull(),
  closedAt: instant('closed_at'),
  switchedAt: instant('switched_at'),
  /** Why it was not confirmed by itself when its time had come. */
  waits: text('waits', { enum: MOVE_WAITS }),
})
