import { and, asc, eq, isNull, or, sql } from 'drizzle-orm'
import { links, mails, nodes } from '../../schema/tables.ts'
import { appearanceOf, selectAppearance } from '../appearance/facts.ts'
import type { Services } from '../endpoint/context.ts'
import { LINK_MS } from '../secrets/links.ts'
import { operatorValues } from '../text/mail-frame.ts'
import type { MailKind } from '../text/mails.ts'
import { rootMessage } from '../text/root-message.ts'
import { type Fault, storedFault } from '../text/stored-faults.ts'
import { type BackOff, later, longestMs, nextTry } from '../work/back-off.ts'
import { isDue, isFree, turnAt } from '../work/clock.ts'
import { renderMail } from './render.ts'
import { ownTextOf, selectOwnText } from './texts/own.ts'
import { welcomeOf } from './welcome.ts'

type MailRow = typeof mails.$inferSelect

const LEASE_MS = 120_000
/** After 30 s, 2, 5 and 15 minutes, then hourly for a day. */
const BACK_OFF: BackOff = { waitsMs: [30_000, 120_000, 300_000, 900_000, 3_600_000], spread: 0 }
const HOURLY_TRIES = 24
/** The first try, the four soon after it, and those of a day. */
const MAX_TRIES = BACK_OFF.waitsMs.length + HOURLY_TRIES

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

/** Mails to hand over now: their time has come, or the process that was sending them is gone. */
const isClaimable = (now: Date) =>
  or(
    and(eq(mails.state, 'en_cola'), isDue(mails.nextAt, now, longestMs(BACK_OFF))),
    and(eq(mails.state, 'enviando'), isFree(mails.leaseUntil, now, LEASE_MS)),
  )

/** A client's node sends its mail, since the links in it lead there; a host that is no node sends any. */
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
  const now = services.now()
  return services.db.read
    .select({ id: mails.id })
    .from(mails)
    .where(and(isClaimable(now), mine(services)))
    .orderBy(asc(turnAt(mails.nextAt, now, longestMs(BACK_OFF))))
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
      .set({ state: 'enviando', leaseUntil: later(now, LEASE_MS), attempts: sql`attempts + 1` })
      .where(and(eq(mails.id, due.id), isClaimable(now)))
      .returning(),
  )
  return rows[0] ?? null
}

/**
 * Ends the hand-overs of a dead process, so that its mails go out at once instead of when their leases end: those of
 * its node, or where it is `alone` also those that any host may send.
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
    const [welcome, appearance, own] = await Promise.all([
      welcomeOf(services, mail),
      selectAppearance(services.db.read),
      selectOwnText(services.db.read, mail.kind as MailKind), // As in `renderMail`.
    ])
    const values = { ...welcome, ...operatorValues(appearanceOf(appearance)) }
    await send(renderMail(await inNameOf(services, mail), mail, { link, values, own: ownTextOf(own) }))
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
  const over = mail.attempts >= MAX_TRIES
  const reason = withoutLinks(rootMessage(error))
  services.log('warn', 'mail not sent', { mail: mail.id, attempt: mail.attempts, reason })
  await settle(services, mail, {
    state: over ? 'fallido' : 'en_cola',
    leaseUntil: null,
    error: storedFault(undelivered(mail, error)),
    nextAt: nextTry(services.now(), BACK_OFF, mail.attempts),
  })
}
