import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { clients, sites } from './clients.ts'
import { instant } from './columns.ts'
import { APPLICATION_STATES, APPLICATIONS } from './states.ts'

/** The application that the panel installed into a site. Its site takes it along; its database stays. */
export const applications = sqliteTable(
  'applications',
  {
    siteId: integer('site_id')
      .primaryKey()
      .references(() => sites.id, { onDelete: 'cascade' }),
    clientId: integer('client_id')
      .notNull()
      .references(() => clients.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: APPLICATIONS }).notNull(),
    state: text('state', { enum: APPLICATION_STATES }).notNull(),
    /** As it was last installed or read; the application may have changed itself since. */
    version: text('version'),
    language: text('language').notNull(),
    /** Tells this installation from an earlier one of the same site. */
    installation: text('installation').notNull(),
    /** The name of the database that was made for it. */
    database: text('database').notNull(),
    /** The site that it was copied from; what it publishes goes there. */
    cloneOf: integer('clone_of').references(() => sites.id, { onDelete: 'set null' }),
    /** The publication that can be taken back: what it replaced is kept beside the site. */
    restorePoint: text('restore_point'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('applications_client').on(t.clientId), index('applications_clone_of').on(t.cloneOf)],
)
