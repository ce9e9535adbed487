import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import nodemailer from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { Mailer, OutgoingMail } from '../../lib/context.ts'
import { withinDeadline } from '../../lib/deadline.ts'
import type { Secret } from '../../lib/secret.ts'

/** Less than a mail's lease: a server that answers a little at a time for ever holds up no other mail. */
const DEADLINE_MS = 90_000

/**
 * Hands mail to an SMTP server, within `deadlineMs`. With credentials in the URL the connection must be encrypted before they
 * are sent (STARTTLS or `smtps:`); certificates are always verified.
 */
export function smtpMailer(url: Secret, deadlineMs = DEADLINE_MS): Mailer {
  const { protocol, hostname, port, username, password } = new URL(url.reveal())
  const secure = protocol === 'smtps:'
  const transport = nodemailer.createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && username !== '',
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  })
  return {
    async send(mail) {
      await withinDeadline<unknown>(transport.sendMail(messageOf(mail)), deadlineMs, () => {
        throw new Error(`the mail server took longer than ${deadlineMs / 1000} s`)
      })
    },
  }
}

/** Without SMTP: each mail becomes a file that an operator can read, mode 0600. */
export function fileMailer(directory: string): Mailer {
  return {
    async send(mail) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const name = mail.messageId.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 80)
      const text = await new MailComposer(messageOf(mail)).compile().build()
      const path = join(directory, `${name}.eml`)
      await writeFile(`${path}.new`, text, { mode: 0o600 })
      await rename(`${path}.new`, path)
    },
  }
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
