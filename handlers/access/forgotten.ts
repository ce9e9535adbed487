import { and, eq, ne, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { emailKey } from '../../lib/email.ts'
import { correo, named, told } from '../../lib/fields.ts'
import { accepted, handler, open } from '../../lib/handler.ts'
import { linkWaitSeconds } from '../../lib/link-requests.ts'
import { isActivated, sendLink } from '../../lib/logins.ts'
import { clients, persons } from '../../schema/tables.ts'

/** Logins under one address that get a link, at most. */
const MAX_LOGINS = 10
/** Longer than ten links take, with a database that is far away too. */
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
    const logins = await ctx.tx
      .select({ person: persons, client: clients.name })
      .from(persons)
      .innerJoin(clients, eq(clients.id, persons.clientId))
      .where(
        and(
          eq(sql`lower(${persons.email})`, emailKey(body.correo)),
          eq(persons.active, true),
          ne(clients.state, 'eliminando'),
        ),
      )
      .limit(MAX_LOGINS)
    for (const { person, client } of logins) {
      if (person.email === null || (await linkWaitSeconds(ctx.tx, person.id, ctx.now())) > 0) continue
      const purpose = isActivated(person) ? 'restablecer' : 'activar'
      sendLink(
        ctx.tx,
        ctx,
        { id: person.id, email: person.email, language: person.language },
        purpose,
        client,
      )
    }
    return accepted({ aceptado: true as const })
  },
})
