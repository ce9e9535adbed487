import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { clients } from './clients.ts'
import { instant } from './columns.ts'
import { DATABASE_STATES } from './states.ts'

/** Databases of clients. Ids are never reused (autoincrement): what lies in the bin carries them. */
export const databases = sqliteTable(
  'databases',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    clientId: integer('client_id')
      .notNull()
      .references(() => clients.id),
    name: text('name').notNull().unique(),
    state: text('state', { enum: DATABASE_STATES }).notNull(),
    error: text('error'),
    bytes: integer('bytes').notNull().default(0),
    measuredAt: instant('measured_at'),
    /** Whether its client is over the bytes of its plan, so that nothing can be added. */
    restricted: integer('restricted', { mode: 'boolean' }).notNull().default(false),
    /** A dump is being loaded. */
    loading: integer('loading', { mode: 'boolean' }).notNull().default(false),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('databases_client').on(t.clientId, t.name)],
)

/** Accounts with a password for one base; of the password only the server's own hash is kept. */
export const databaseAccounts = sqliteTable(
  'database_accounts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    databaseId: integer('database_id')
      .notNull()
      .references(() => databases.id, { onDelete: 'cascade' }),
    name: text('name').notNull().unique(),
    hash: text('hash').notNull(),
    readOnly: integer('read_only', { mode: 'boolean' }).notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('database_accounts_database').on(t.databaseId, t.name)],
)
