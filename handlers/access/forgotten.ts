import { and, eq, ne, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { correo, named, told } from '../../lib/endpoint/fields.ts'
import { accepted, handler, open } from '../../lib/endpoint/handler.ts'
import { linkWaitSeconds, purposeFor } from '../../lib/identity/decide.ts'
import { recentLinks, timesOf } from '../../lib/identity/link-requests.ts'
import { sendLink } from '../../lib/identity/logins.ts'
import { auditAccount } from '../../lib/sign-in/sessions.ts'
import { emailKey } from '../../lib/text/email-address.ts'
import { clients, persons } from '../../schema/tables.ts'

/** At most this many logins under one address get a link. */
const MAX_LOGINS = 10
/** Longer than ten links take, even with a database far away. */
const EVEN_MS = 250

export default handler({
  method: 'POST',
  path: '/olvido',
  access: open(),
  summary: 'Mail a new link to a customer who asks for one',
  description: 'Always 202, whether the address is known or not and whether a mail goes out or not.',
  body: v.strictObject({ correo }),
  output: named(
    'Aceptado',
    'The request was taken.',
    v.strictObject({ aceptado: told(v.literal(true), 'Whether the address is known is not told.', true) }),
  ),
  statuses: [202],
  evenMs: EVEN_MS,
  async run(ctx, { body }) {
    const { tx } = ctx
    const now = ctx.now()
    const theirs = and(
      eq(sql`lower(${persons.email})`, emailKey(body.correo)),
      eq(persons.active, true),
      ne(clients.state, 'eliminando'),
    )
    const ids = tx
      .select({ id: persons.id })
      .from(persons)
      .innerJoin(clients, eq(clients.id, persons.clientId))
      .where(theirs)
    const [logins, recent] = await Promise.all([
      tx
        .select({ person: persons, client: clients.name })
        .from(persons)
        .innerJoin(clients, eq(clients.id, persons.clientId))
        .where(theirs)
        .limit(MAX_LOGINS),
      recentLinks(tx, ids, { what: 'anyone', now }),
    ])
    for (const { person, client } of logins) {
      const { id, email, language } = person
      const own = timesOf(recent.filter(({ personId }) => personId === id))
      if (email === null || linkWaitSeconds(own, now) > 0) continue
      auditAccount(ctx, { person, client })
      sendLink(tx, ctx, {
        person: { id, email, language },
        purpose: purposeFor(person),
        client,
        anyone: true,
      })
    }
    return accepted({ aceptado: true as const })
  },
})
