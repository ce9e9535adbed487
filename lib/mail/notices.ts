import { and, eq, sql } from 'drizzle-orm'
import type { MAIL_NOTICES } from '../../schema/states.ts'
import { clients, mailNotices, persons } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import type { Tx } from '../store/database.ts'
import { mailNotice } from '../text/mail-frame.ts'
import { isDue } from '../work/clock.ts'
import { enqueueMails } from './queue.ts'

const DAY_MS = 86_400_000

type Notice = { client: number; kind: (typeof MAIL_NOTICES)[number]; number: number }

/**
 * Writes to a client about the mail of its programs, of each kind once a day at most: to its address, and to the
 * admins where it has none.
 */
export async function noticeOnce(
  tx: Tx,
  services: Pick<Services, 'now' | 'random'>,
  { client, kind, number }: Notice,
): Promise<void> {
  const now = services.now()
  const told = await tx
    .insert(mailNotices)
    .values({ clientId: client, kind, toldAt: now })
    .onConflictDoUpdate({
      target: [mailNotices.clientId, mailNotices.kind],
      set: { toldAt: now },
      setWhere: isDue(sql`(${mailNotices}.told_at + ${DAY_MS})`, now, DAY_MS),
    })
    .returning({ kind: mailNotices.kind })
  if (told.length === 0) return
  const isAdmin = and(eq(persons.role, 'admin'), eq(persons.active, true))
  const [row, admins] = await Promise.all([
    tx.select().from(clients).where(eq(clients.id, client)).get(),
    tx.select({ email: persons.email, language: persons.language }).from(persons).where(isAdmin),
  ])
  if (!row) return
  enqueueMails(tx, services, {
    kind,
    to: row.email === null ? admins : [row],
    client: row.name,
    payload: mailNotice(row.name, number),
  })
}
