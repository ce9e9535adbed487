import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { clients, sites } from './clients.ts'
import { instant } from './columns.ts'

/** SFTP logins; all logins of a client act as its one Unix user. */
export const sftpAccounts = sqliteTable(
  'sftp_accounts',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** Unique over all clients of all nodes, since clients move and names stay. */
    name: text('name').notNull().unique(),
    clientId: integer('client_id')
      .notNull()
      .references(() => clients.id, { onDelete: 'cascade' }),
    /** The only site that it sees; null is all of the client's. */
    siteId: integer('site_id').references(() => sites.id, { onDelete: 'cascade' }),
    keys: text('keys', { mode: 'json' }).$type<SftpKey[]>().notNull(),
    /** As crypt(3) takes it; null is none. */
    passwordHash: text('password_hash'),
    passwordCreatedAt: instant('password_created_at'),
    passwordUsedAt: instant('password_used_at'),
    lastSessionAt: instant('last_session_at'),
    /** Null until the node has it. */
    appliedAt: instant('applied_at'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('sftp_accounts_client').on(t.clientId, t.name), index('sftp_accounts_site').on(t.siteId)],
)

/** A public key: what OpenSSH needs of it, and what people know it by. */
export type SftpKey = { type: string; data: string; comment: string; fingerprint: string }
