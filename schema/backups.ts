import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { clients } from './clients.ts'
import { instant } from './columns.ts'
import { type COPY_PARTS, COPY_STATES, DESTINATION_KINDS } from './states.ts'

/** Where the copies of a node and of its clients go. */
export const backupDestinations = sqliteTable('backup_destinations', {
  node: text('node').primaryKey(),
  kind: text('kind', { enum: DESTINATION_KINDS }).notNull(),
  url: text('url').notNull(),
  /** The public key of an SFTP server, without which it is a stranger: type and base64. Null elsewhere. */
  hostKey: text('host_key'),
  /** Sealed like `password`; null where the destination needs none. */
  credential: text('credential'),
  /** AES-256-GCM under the key ring, bound to this table, row and column: of the node's own repository. */
  password: text('password').notNull(),
  checkedAt: instant('checked_at').notNull(),
  /** The id of the node's repository there, by which it is the same wherever it is moved to; null until it is known. */
  store: text('store'),
  /** When the node itself was last copied there. */
  nodeCopiedAt: instant('node_copied_at'),
  /** The day on which operators were last mailed about a copy that failed. */
  toldOn: text('told_on'),
  /** What copying there failed with last, as a stored fault, for whom and when; null where it has succeeded since. */
  fault: text('fault'),
  faultOf: text('fault_of'),
  faultAt: instant('fault_at'),
})

/** Each client's own repository. Its key goes with the client, and then nothing in it can be read any more. */
export const backupRepositories = sqliteTable('backup_repositories', {
  clientId: integer('client_id')
    .primaryKey()
    .references(() => clients.id, { onDelete: 'cascade' }),
  name: text('name').notNull().unique(),
  key: text('key').notNull(),
  /** What it has lost, or what was changed in it, as a stored fault, and since when; null once it is whole. */
  fault: text('fault'),
  faultAt: instant('fault_at'),
})

/** Repositories of deleted clients, in which nothing can be read any more, until they are removed. */
export const goneRepositories = sqliteTable('gone_repositories', {
  name: text('name').primaryKey(),
  client: text('client').notNull(),
  node: text('node').notNull(),
  /** The id of the store that it lies in. */
  store: text('store').notNull(),
  goneAt: instant('gone_at').notNull(),
})

export const copies = sqliteTable(
  'copies',
  {
    id: text('id').primaryKey(),
    clientId: integer('client_id')
      .notNull()
      .references(() => clients.id, { onDelete: 'cascade' }),
    state: text('state', { enum: COPY_STATES }).notNull(),
    /** Kind and address of where it lies: it is not shown while copies go elsewhere. */
    destination: text('destination').notNull(),
    /** False for what was copied just before it was replaced. */
    whole: integer('whole', { mode: 'boolean' }).notNull(),
    parts: text('parts', { mode: 'json' }).$type<CopyPart[]>().notNull(),
    startedAt: instant('started_at').notNull(),
    /** When a part of it was last restored and compared. */
    testedAt: instant('tested_at'),
  },
  (t) => [
    index('copies_client').on(t.clientId, t.id),
    index('copies_good').on(t.clientId, t.startedAt).where(sql`${t.state} = 'completa' and ${t.whole} = 1`),
  ],
)

export type CopyPart = {
  kind: (typeof COPY_PARTS)[number]
  name: string
  bytes: number
  /** Of the content, and of the list of a site's files; null where it failed. */
  snapshot: string | null
  index: string | null
  /** Hexadecimal SHA-256 of the content. */
  sha256: string | null
  /** A stored fault: what is missing from it, or why there is nothing of it. */
  fault: string | null
  /** Whether it has all that a restore replaces, of a site that was copied before that. */
  undoes?: boolean
  /** Whether its destination has lost or changed something of it since. */
  damaged?: boolean
}
