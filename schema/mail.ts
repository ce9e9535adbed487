import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { clients } from './clients.ts'
import { instant } from './columns.ts'
import { MAIL_NOTICES } from './states.ts'

const clientId = () =>
  integer('client_id')
    .notNull()
    .references(() => clients.id, { onDelete: 'cascade' })

/** How many recipients a client's programs wrote to, by the minute (since the epoch) in which the mail was passed on. */
export const mailMinutes = sqliteTable(
  'mail_minutes',
  { clientId: clientId(), minute: integer('minute').notNull(), recipients: integer('recipients').notNull() },
  (t) => [primaryKey({ columns: [t.clientId, t.minute] }), index('mail_minutes_minute').on(t.minute)],
)

/** When a client was last written to about the mail of its programs. */
export const mailNotices = sqliteTable(
  'mail_notices',
  {
    clientId: clientId(),
    kind: text('kind', { enum: MAIL_NOTICES }).notNull(),
    toldAt: instant('told_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.clientId, t.kind] })],
)
