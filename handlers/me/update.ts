import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { idioma, named } from '../../lib/endpoint/fields.ts'
import { handler, ok, person } from '../../lib/endpoint/handler.ts'
import { personOf } from '../../lib/identity/logins.ts'
import { persons } from '../../schema/tables.ts'

export default handler({
  method: 'PATCH',
  path: '/yo',
  access: person('admin', 'client'),
  summary: 'Choose the language of the own mails',
  description:
    'At first it is that of the request which chose the password (`Accept-Language`), where it names one.',
  body: v.strictObject({ idioma }),
  output: named('Idioma', 'The language of the own mails.', v.strictObject({ idioma })),
  async run(ctx, { body }) {
    const me = await personOf(ctx)
    ctx.audit.target = me.id
    ctx.tx.later(ctx.tx.update(persons).set({ language: body.idioma }).where(eq(persons.id, me.id)))
    return ok({ idioma: body.idioma })
  },
})
