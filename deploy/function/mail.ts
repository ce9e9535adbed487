import type { Mailer } from '../../lib/endpoint/context.ts'
import type { Secret } from '../../lib/secrets/secret.ts'

const TIMEOUT_MS = 10_000

/**
 * Hands mail to a service over HTTP: one POST of JSON a mail, in the form that most of them take
 * (`from`, `to`, `subject`, `text`, `html`, `headers`). Any status but 2xx throws, and the outbox tries
 * again; the Message-ID and the idempotency key are the same each time.
 */
export function httpMailer(url: Secret, token: Secret | null, fetch: typeof globalThis.fetch): Mailer {
  return {
    async send(mail) {
      const response = await fetch(url.reveal(), {
        method: 'POST',
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          'content-type': 'application/json',
          'idempotency-key': mail.messageId,
          ...(token ? { authorization: `Bearer ${token.reveal()}` } : {}),
        },
        body: JSON.stringify({
          from: mail.from,
          to: [mail.to],
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          headers: {
            'Message-ID': mail.messageId,
            'Auto-Submitted': 'auto-generated',
            'Content-Language': mail.language,
          },
        }),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`the mail service answered ${response.status}`)
    },
    relay: null,
  }
}
