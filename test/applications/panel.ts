import { expect } from 'bun:test'
import { newCustomer, ROOMY } from '../api/people.ts'
import { SmtpSink } from '../faults/smtp.ts'
import { loopbackCertificate } from '../support/certificate.ts'
import { parseMail } from '../support/mails.ts'
import { type Json, Panel } from '../support/panel.ts'
import { firstAdmin, newToken, type SignedIn } from '../support/people.ts'
import { freePort } from '../support/ports.ts'
import { eventually } from '../support/wait.ts'
import { workEnded } from '../support/work.ts'

const CRON = 'secreto-del-cron'

/** A panel whose programs' mail goes to a sink, with packages from a directory, its customer `ana`, and others by name. */
export async function startApplications<Other extends string = never>(
  env: Record<string, string> = {},
  others: Other[] = [],
) {
  const smtp = await SmtpSink.start()
  const { caPath } = await loopbackCertificate()
  const panel = await Panel.start({
    env: {
      ...ROOMY,
      PANEL_MARIADB_PORT: String(await freePort()),
      PANEL_MAIL_FROM: 'Panel <panel@host.es>',
      PANEL_CRON_SECRET: CRON,
      NODE_EXTRA_CA_CERTS: caPath,
      ...env,
    },
  })
  const admin = await firstAdmin(panel)
  const token = await newToken(panel, admin)
  const customers = {} as Record<'ana' | Other, SignedIn>
  for (const name of ['ana' as const, ...others]) customers[name] = await newCustomer(panel, token, name)
  // From here on programs' mail has somewhere to go.
  await panel.kill()
  await panel.up({ PANEL_SMTP_URL: smtp.url })

  const api = (method: string, path: string, body?: unknown, bearer = token) =>
    panel.api(method, path, { bearer, ...(body === undefined ? {} : { body }) })

  /** Waits for the end of a piece of work. */
  const ended = (id: string): Promise<Json> => workEnded(api, id)

  /** Has the panel pass on the mail that waits. */
  async function passOn(): Promise<void> {
    const headers = { authorization: `Bearer ${CRON}` }
    await panel.fetch('/cron/envios', { method: 'POST', headers })
  }

  return {
    ...{ panel, admin, token, customers, ana: customers.ana, smtp, api, ended, passOn },
    /** Asks for a piece of work of a site's application, and waits for its end. */
    async worked(domain: string, path: string, body?: object, bearer = token): Promise<Json> {
      const asked = await api('POST', `/sitios/${domain}/${path}`, body, bearer)
      expect([asked.status, asked.body]).toMatchObject([202, { tarea: {} }])
      return ended(asked.body.tarea.id)
    },
    /** The next mail of the sink, once the panel has passed it on. */
    async nextMail(): Promise<{ recipients: string[]; subject: string; text: string }> {
      const before = smtp.received.length
      const found = await eventually(
        async () => {
          await passOn()
          return smtp.received[before] ?? smtp.received.at(-1) ?? null
        },
        'the mail',
        60_000,
      )
      const { text } = await parseMail(Buffer.from(found.raw))
      return { recipients: found.recipients, subject: found.subject, text }
    },
    async stop(): Promise<void> {
      await panel.stop()
      await smtp.stop()
    },
  }
}
export type ApplicationsWorld = Awaited<ReturnType<typeof startApplications>>
