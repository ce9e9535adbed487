import { and, eq, inArray } from 'drizzle-orm'
import { clients } from '../../schema/tables.ts'
import type { Mailer, Services } from '../endpoint/context.ts'
import type { MailSpool } from '../endpoint/node-port.ts'
import { rootMessage } from '../text/root-message.ts'

/** Most messages of one client in a row, so that others' mail waits no longer than for these. */
const AT_ONCE = 10

/** Larger than any program's message head. */
const HEAD_BYTES = 256 * 1024

type Relay = NonNullable<Mailer['relay']>
type Sender = { id: number; name: string }

/** Passes on what customers' programs left with `mail()`; answers how many messages. A suspended client's stay. */
export async function relayCustomersMail(services: Services): Promise<number> {
  const spool = services.driver?.mail
  const relay = services.mailer?.relay
  if (!spool || !relay) return 0
  let handedOver = 0
  for (const sender of await sendersOf(services, spool.waiting())) {
    try {
      handedOver += await sendOf({ services, spool, relay }, sender)
    } catch (error) {
      // A fault in one client's directory must not hold up the others' mail.
      services.log('error', 'mail not looked at', { client: sender.name, reason: rootMessage(error) })
    }
  }
  return handedOver
}

async function sendersOf({ db }: Services, ids: number[]): Promise<Sender[]> {
  if (ids.length === 0) return []
  return db.read
    .select({ id: clients.id, name: clients.name })
    .from(clients)
    .where(and(inArray(clients.id, ids), eq(clients.state, 'activo')))
}

type Means = { services: Services; spool: MailSpool; relay: Relay }

async function sendOf({ services, spool, relay }: Means, sender: Sender): Promise<number> {
  let handedOver = 0
  for (const name of spool.due(sender.id, services.now()).slice(0, AT_ONCE)) {
    const mail = spool.read(sender.id, name)
    if (mail === null) continue
    if (speaksAsPanel(services, mail.message)) {
      services.log('warn', 'mail in the panel’s name', { client: sender.name })
      spool.putAside(sender.id, name)
      continue
    }
    if (!spool.charge(sender.id, mail.to.length, services.now())) break
    try {
      await relay({ from: returnAddress(services, sender), to: mail.to, message: mail.message })
      spool.sent(sender.id, name)
      handedOver += 1
    } catch (error) {
      services.log('warn', 'mail not passed on', {
        client: sender.name,
        reason: rootMessage(error).slice(0, 200),
      })
      if (isFinal(error)) spool.putAside(sender.id, name)
      else spool.postpone(sender.id, name, services.now())
    }
  }
  return handedOver
}

/**
 * The return address names the client, so that the operator sees in the mail server's log whose mail it was (RFC
 * 5233).
 */
function returnAddress({ config }: Services, { name }: Sender): string {
  const address = ownAddress(config)
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}+${name}${address.slice(at)}`
}

const ownAddress = ({ mailFrom }: Services['config']) => /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom

/**
 * Whether the message names the panel's own sender as its author: it could pass for a mail of the panel with a link.
 */
function speaksAsPanel({ config }: Services, message: Uint8Array): boolean {
  const text = new TextDecoder('latin1').decode(message.subarray(0, HEAD_BYTES))
  const [head = ''] = text.split('\n\n', 1)
  const authors = head.replace(/\n[ \t]/g, ' ').match(/^(?:From|Sender)[ \t]*:.*$/gim) ?? []
  return authors.some((line) => line.toLowerCase().includes(ownAddress(config).toLowerCase()))
}

/** Whether the server refused the message or all its recipients, and not the panel (RFC 5321, 4.2.1). */
function isFinal(error: unknown): boolean {
  if (!(error instanceof Error && 'responseCode' in error && 'code' in error)) return false
  const refused = error.code === 'EMESSAGE' || (error.code === 'EENVELOPE' && !isSender(error))
  return refused && Number(error.responseCode) >= 500
}

const isSender = (error: Error) => 'command' in error && error.command === 'MAIL FROM'
