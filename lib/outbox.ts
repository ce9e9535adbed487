import { and, asc, eq, isNull, or, sql } from 'drizzle-orm'
import { links, mails, nodes } from '../schema/tables.ts'
import type { Services } from './context.ts'
import { hasCome } from './due.ts'
import { type Fault, storedFault } from './faults.ts'
import { LINK_MS } from './links.ts'
import { renderMail } from './render-mail.ts'
import { rootMessage } from './root-message.ts'

type MailRow = typeof mails.$inferSelect

const LEASE_MS = 120_000
/** Contract 4.11: after 30 s, 2, 5 and 15 minutes, then hourly for a day. */
const RETRY_SECONDS = [30, 120, 300, 900]
const HOURLY_TRIES = 24
const LONGEST_DELAY_MS = 2 * 3_600_000

/** Sends every mail that is due, each under a lease of its own; answers how many were handed over. */
export async function sendDueMails(services: Services): Promise<number> {
  const { mailer } = services
  if (!mailer) return 0
  let sent = 0
  for (let mail = await claimMail(services); mail; mail = await claimMail(services)) {
    if (await deliver(services, mail, mailer.send.bind(mailer))) sent++
  }
  return sent
}

/** Whether any mail is due, without taking the write lock. */
export async function mailsDue(services: Services): Promise<boolean> {
  if (!services.mailer) return false
  return (await dueQuery(services)) !== undefined
}

const isDue = (now: Date) =>
  or(
    and(eq(mails.state, 'en_cola'), hasCome(mails.nextAt, now, LONGEST_DELAY_MS)),
    and(eq(mails.state, 'enviando'), hasCome(mails.leaseUntil, now, 2 * LEASE_MS)),
  )

/** A client's mail is its own node's, since its link leads there; a host that is no node sends for all. */
const mine = ({ config }: Services) =>
  config.node === null ? undefined : or(isNull(mails.node), eq(mails.node, config.node))

/** Where the links of a mail lead: to the panel of its node. */
async function inNameOf(services: Services, mail: MailRow): Promise<Services> {
  const { config, db } = services
  if (mail.node === null || mail.node === config.node) return services
  const row = await db.read
    .select({ origin: nodes.origin })
    .from(nodes)
    .where(eq(nodes.name, mail.node))
    .get()
  if (!row?.origin) return services
  return { ...services, config: { ...config, origin: row.origin, host: new URL(row.origin).hostname } }
}

function dueQuery(services: Services) {
  return services.db.read
    .select({ id: mails.id })
    .from(mails)
    .where(and(isDue(services.now()), mine(services)))
    .orderBy(asc(mails.nextAt))
    .limit(1)
    .get()
}

async function claimMail(services: Services): Promise<MailRow | null> {
  const due = await dueQuery(services)
  if (!due) return null
  const now = services.now()
  const rows = await services.db.write((tx) =>
    tx
      .update(mails)
      .set({ state: 'enviando', leaseUntil: new Date(now.getTime() + LEASE_MS), attempts: sql`attempts + 1` })
      .where(and(eq(mails.id, due.id), isDue(now)))
      .returning(),
  )
  return rows[0] ?? null
}

/**
 * Ends the hand-overs of a process that is known to be dead, so that what it owed goes at once instead of when the
 * lease is over: those of its node, or where it is `alone` those that any may send too.
 */
export async function releaseMails(services: Services, node: string, alone: boolean): Promise<void> {
  const now = services.now()
  const mine = alone ? or(eq(mails.node, node), isNull(mails.node)) : eq(mails.node, node)
  await services.db.write(async (tx) => {
    tx.later(
      tx
        .update(mails)
        .set({ leaseUntil: now })
        .where(and(eq(mails.state, 'enviando'), mine)),
    )
  })
}

async function deliver(
  services: Services,
  mail: MailRow,
  send: (mail: ReturnType<typeof renderMail>) => Promise<void>,
): Promise<boolean> {
  const link = mail.linkId
    ? ((await services.db.read.select().from(links).where(eq(links.id, mail.linkId)).get()) ?? null)
    : null
  if (mail.linkId && (!link || link.endedAt || link.spentAt)) {
    await settle(services, mail, { state: 'anulado', leaseUntil: null })
    return false
  }
  try {
    await send(renderMail(await inNameOf(services, mail), mail, link))
  } catch (error) {
    await postpone(services, mail, error)
    return false
  }
  await settle(
    services,
    mail,
    { state: 'enviado', leaseUntil: null, error: null, sentAt: services.now() },
    link?.id,
  )
  return true
}

/** Records the hand-over; the hour of the link that the mail carries runs from the first one. */
async function settle(
  services: Services,
  mail: MailRow,
  set: Partial<MailRow>,
  linkId?: string,
): Promise<void> {
  await services.db.write(async (tx) => {
    tx.later(tx.update(mails).set(set).where(eq(mails.id, mail.id)))
    if (!linkId) return
    const expiresAt = new Date(services.now().getTime() + LINK_MS)
    tx.later(
      tx
        .update(links)
        .set({ expiresAt })
        .where(and(eq(links.id, linkId), isNull(links.expiresAt))),
    )
  })
}

/** A server may quote the message that it refuses, link and all. */
const withoutLinks = (text: string) => text.replace(/#[0-9A-Za-z]{10,}/g, '#[secret]')

function undelivered(mail: MailRow, error: unknown): Fault {
  const status = error instanceof Error && 'responseCode' in error ? error.responseCode : null
  const datos = typeof status === 'number' ? { datos: `SMTP ${status}` } : {}
  return { codigo: 'correo_no_enviado', id: mail.id, ...datos }
}

async function postpone(services: Services, mail: MailRow, error: unknown): Promise<void> {
  const delay = RETRY_SECONDS[mail.attempts - 1] ?? 3600
  // The first try, the four soon after it, and those of a day.
  const over = mail.attempts > RETRY_SECONDS.length + HOURLY_TRIES
  const reason = withoutLinks(rootMessage(error))
  services.log('warn', 'mail not sent', { correo: mail.id, intento: mail.attempts, motivo: reason })
  await settle(services, mail, {
    state: over ? 'fallido' : 'en_cola',
    leaseUntil: null,
    error: storedFault(undelivered(mail, error)),
    nextAt: new Date(services.now().getTime() + delay * 1000),
  })
}
