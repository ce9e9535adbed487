import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { clients } from './clients.ts'
import { instant } from './columns.ts'
import { MOVE_PHASES, MOVE_WAITS } from './states.ts'

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
