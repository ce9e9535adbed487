import { and, inArray, ne } from 'drizzle-orm'
import { clients } from '../../schema/tables.ts'
import type { Mailer, Services } from '../endpoint/context.ts'
import type { MailSpool } from '../endpoint/ports/mail.ts'
import { rootMessage } from '../text/root-message.ts'
import { allowancesOf, chargeMail, leftOf, refundMail } from './allowance.ts'
import { noticeOnce } from './notices.ts'
import { isOfAnother, returnAddress } from './sender.ts'

/** Most messages of one client in a row, so that others' mail waits no longer than for these. */
const AT_ONCE = 10
/** Every mail server takes as many recipients with one message (RFC 5321, 4.5.3.1.8). */
const RECIPIENTS_AT_ONCE = 100
/** Clients whose mail met no server before the others wait for the next round: each costs a time-out. */
const UNREACHED = 3

type Relay = NonNullable<Mailer['relay']>
type Sender = { id: number; name: string; state: (typeof clients.$inferSelect)['state'] }
type Means = { services: Services; spool: MailSpool; relay: Relay }
type Mail = NonNullable<ReturnType<MailSpool['read']>>

/**
 * Passes on what customers' programs left with `mail()`, and tells the programs what is left of their day; answers how
 * many messages went out. What a suspended client left is put aside.
 */
export async function relayCustomersMail(services: Services): Promise<number> {
  const spool = services.driver?.mail
  const relay = services.mailer?.relay
  if (!spool || !relay || services.config.node === null) return 0
  let handedOver = 0
  let unreached = 0
  for (const sender of await sendersOf(services, spool.waiting())) {
    try {
      if (sender.state === 'suspendido') dropAll(services, spool, sender)
      else if (unreached < UNREACHED) {
        const { sent, reached } = await sendOf({ services, spool, relay }, sender)
        handedOver += sent
        unreached += reached ? 0 : 1
      }
    } catch (error) {
      // A fault in one client's directory must not hold up the others' mail.
      services.log('error', 'mail not looked at', { client: sender.name, reason: rootMessage(error) })
    }
  }
  for (const allowance of await allowancesOf(services, services.config.node)) {
    spool.tell(allowance.id, leftOf(allowance))
  }
  return handedOver
}

async function sendersOf({ db }: Services, ids: number[]): Promise<Sender[]> {
  if (ids.length === 0) return []
  return db.read
    .select({ id: clients.id, name: clients.name, state: clients.state })
    .from(clients)
    .where(and(inArray(clients.id, ids), ne(clients.state, 'eliminando')))
}

/** What was written before a suspension must not go out when it ends, days later. */
function dropAll(services: Services, spool: MailSpool, { id, name }: Sender): void {
  const waiting = spool.due(id, null)
  for (const message of waiting) spool.putAside(id, message)
  if (waiting.length > 0) services.log('info', 'mail of a suspended client dropped', { client: name })
}

async function sendOf(means: Means, sender: Sender): Promise<{ sent: number; reached: boolean }> {
  const { services, spool } = means
  let sent = 0
  for (const name of spool.due(sender.id, services.now()).slice(0, AT_ONCE)) {
    const mail = spool.read(sender.id, name)
    if (mail === null) continue
    if (isOfAnother(services.config, sender.name, mail.message)) {
      services.log('warn', 'mail in another’s name', { client: sender.name })
      spool.putAside(sender.id, name)
      continue
    }
    const { minute, charged, left, limit } = await chargeMail(services, sender.id, mail.to.length)
    spool.tell(sender.id, left, charged ? name : undefined)
    if (!charged) {
      // What no day has room for would hold up all that follows.
      if (mail.to.length > limit) spool.putAside(sender.id, name)
      break
    }
    const { later, refused, failure } = await passOn(means, sender, mail)
    if (later.length === 0) spool.sent(sender.id, name, refused)
    else {
      await refundMail(services, sender.id, { minute, recipients: later.length })
      await postpone(means, sender, { name, later, refused })
    }
    sent += later.length === 0 && refused < mail.to.length ? 1 : 0
    if (failure !== null && !isAnswer(failure)) return { sent, reached: false }
  }
  return { sent, reached: true }
}

type Outcome = { later: string[]; refused: number; failure: unknown }

/** Hands a message to the server, some recipients at a time; answers who is to get it later. */
async function passOn({ services, relay }: Means, sender: Sender, { to, message }: Mail): Promise<Outcome> {
  const from = returnAddress(services.config, sender.name)
  const outcome: Outcome = { later: [], refused: 0, failure: null }
  for (let at = 0; at < to.length && outcome.failure === null; at += RECIPIENTS_AT_ONCE) {
    const part = to.slice(at, at + RECIPIENTS_AT_ONCE)
    try {
      const { deferred, refused } = await relay({ from, to: part, message })
      outcome.later.push(...deferred)
      outcome.refused += refused.length
    } catch (error) {
      services.log('warn', 'mail not passed on', {
        client: sender.name,
        reason: rootMessage(error).slice(0, 200),
      })
      if (isFinal(error)) outcome.refused += part.length
      else Object.assign(outcome, { failure: error, later: [...outcome.later, ...to.slice(at)] })
    }
  }
  return outcome
}

async function postpone(
  { services, spool }: Means,
  { id }: Sender,
  rest: { name: string; later: string[]; refused: number },
): Promise<void> {
  if (spool.postpone(id, rest, services.now())) return
  const number = spool.unsent(id)
  await services.db.write((tx) =>
    noticeOnce(tx, services, { client: id, kind: 'correos_sin_enviar', number }),
  )
}

const answerOf = (error: unknown) =>
  error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number'
    ? error.responseCode
    : null

/** Whether a server was there to say so. */
const isAnswer = (error: unknown) => answerOf(error) !== null

/** Whether the server refused the message, and not the panel (RFC 5321, 4.2.1). */
const isFinal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EMESSAGE' && (answerOf(error) ?? 0) >= 500
