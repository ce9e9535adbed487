import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import nodemailer from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { Mailer, OutgoingMail, Refusals } from '../../../lib/endpoint/context.ts'
import { withinDeadline } from '../../../lib/endpoint/deadline.ts'
import type { Secret } from '../../../lib/secrets/secret.ts'
import { writeWhole } from '../host/files.ts'

/** Less than a mail's lease: a server that answers a little at a time for ever holds up no other mail. */
const DEADLINE_MS = 90_000

/**
 * A way to an SMTP server, with `greetingMs` for its first word. With credentials in the URL the connection must be
 * encrypted before they are sent (STARTTLS or `smtps:`); certificates are always verified.
 */
export function smtpTransport(url: Secret, greetingMs = 10_000) {
  const { protocol, hostname, port, username, password } = new URL(url.reveal())
  const secure = protocol === 'smtps:'
  return nodemailer.createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && username !== '',
    connectionTimeout: 10_000,
    greetingTimeout: greetingMs,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  })
}

/** Hands mail to an SMTP server, within `deadlineMs`. */
export function smtpMailer(url: Secret, deadlineMs = DEADLINE_MS): Mailer {
  const transport = smtpTransport(url)
  const inTime = (sending: Promise<unknown>) =>
    withinDeadline<unknown>(sending, deadlineMs, () => {
      throw new Error(`the mail server took longer than ${deadlineMs / 1000} s`)
    })
  return {
    async send(mail) {
      await inTime(transport.sendMail(messageOf(mail)))
    },
    async relay({ from, to, message }) {
      const sending = transport.sendMail({ envelope: { from, to }, raw: completed(message, from) })
      return refusalsIn(
        await inTime(
          sending.catch((error: unknown) => {
            // Where it took no recipient at all, its answers are with the error.
            if (rejectionsIn(error).length === 0) throw error
            return error
          }),
        ),
      )
    },
  }
}

/** What the server said to single recipients (RFC 5321, 4.2.1: below 500 it may take them later). */
function refusalsIn(outcome: unknown): Refusals {
  const refusals: Refusals = { deferred: [], refused: [] }
  for (const { recipient, responseCode } of rejectionsIn(outcome)) {
    refusals[responseCode < 500 ? 'deferred' : 'refused'].push(recipient)
  }
  return refusals
}

function rejectionsIn(outcome: unknown): { recipient: string; responseCode: number }[] {
  const { rejectedErrors = [] } = outcome as { rejectedErrors?: Rejection[] } // nodemailer's types lack the recipient.
  return rejectedErrors.flatMap(({ recipient, responseCode = 0 }) =>
    recipient === undefined ? [] : [{ recipient, responseCode }],
  )
}

type Rejection = { recipient?: string; responseCode?: number }

/** Without SMTP: each mail becomes a file that an operator can read, mode 0600. */
export function fileMailer(directory: string): Mailer {
  return {
    async send(mail) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const name = mail.messageId.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 80)
      const text = await new MailComposer(messageOf(mail)).compile().build()
      writeWhole({ path: join(directory, `${name}.eml`), content: text, mode: 0o600 })
    },
    relay: null,
  }
}

/** Adds what every message needs and programs leave out (RFC 5322, 3.6). */
function completed(message: Uint8Array, from: string): Buffer {
  const text = Buffer.from(message)
  const head = `\n${text.subarray(0, text.indexOf('\n\n') + 1).toString('latin1')}`
  const lacks = (name: string) => !new RegExp(`\\n${name}[ \\t]*:`, 'i').test(head)
  const added = [
    ...(lacks('From') ? [`From: ${from}`] : []),
    ...(lacks('Date') ? [`Date: ${new Date().toUTCString().replace('GMT', '+0000')}`] : []),
    ...(lacks('Message-ID') ? [`Message-ID: <${randomUUID()}@${from.split('@')[1]}>`] : []),
  ]
  return Buffer.concat([Buffer.from(added.map((line) => `${line}\n`).join('')), text])
}

function messageOf(mail: OutgoingMail) {
  return {
    from: mail.from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: mail.messageId,
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': mail.language },
  }
}
