import { sql } from 'drizzle-orm'
import { clients, mails } from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import type { Tx } from '../store/database.ts'
import { ulid } from '../store/ids.ts'
import type { MailKind } from '../text/mails.ts'

export type NewMail = {
  kind: MailKind
  to: string
  language: 'es' | 'en'
  /** Plain values for the text; never a secret. */
  payload?: Record<string, string>
  /** Whose mail it is, or what it tells of: that client's node sends it. */
  client?: string
  /** The link that the mail carries; its secret is made only when the mail is rendered. */
  linkId?: string
}

/** Queues a mail in the transaction of the change that it tells of (durable outbox, docs/api.md, "Signing in"). */
export function enqueueMail(tx: Tx, services: Pick<Services, 'now' | 'random'>, mail: NewMail): void {
  const now = services.now()
  tx.later(
    tx.insert(mails).values({
      id: `cor_${ulid(now, services.random)}`,
      kind: mail.kind,
      recipient: mail.to,
      language: mail.language,
      payload: mail.payload ?? {},
      linkId: mail.linkId ?? null,
      node: mail.client === undefined ? null : nodeOf(mail.client),
      state: 'en_cola',
      nextAt: now,
      createdAt: now,
    }),
  )
}

/** Who is written to, where there is an address. */
export type Recipient = { email: string | null; language: 'es' | 'en' }

/** Queues the same mail to several. */
export function enqueueMails(
  tx: Tx,
  services: Pick<Services, 'now' | 'random'>,
  { to, ...mail }: Omit<NewMail, 'to' | 'language'> & { to: Recipient[] },
): void {
  for (const { email, language } of to) if (email) enqueueMail(tx, services, { ...mail, to: email, language })
}

/** The client's node; null once the client is deleted: then any host may send the mail. */
const nodeOf = (client: string) =>
  sql<string | null>`(select ${clients.node} from ${clients} where ${clients.name} = ${client})`
