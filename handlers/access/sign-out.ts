import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { AppError } from '../../lib/endpoint/errors.ts'
import { named, told } from '../../lib/endpoint/fields.ts'
import { handler, open, withCookies } from '../../lib/endpoint/handler.ts'
import { noCookie, sessionOfCookie } from '../../lib/sign-in/renewal.ts'
import { auditAccount } from '../../lib/sign-in/sessions.ts'
import { sessions } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/salir',
  access: open(),
  summary: 'End the session of the renewal cookie',
  description: 'Safe to repeat: without a session there is nothing to end.',
  cookie: true,
  output: named(
    'Salida',
    'The session has ended.',
    v.strictObject({ terminada: told(v.literal(true), 'There is none any more.', true) }),
  ),
  secret: true,
  async run(ctx) {
    try {
      const { session, person, client } = await sessionOfCookie(ctx)
      auditAccount(ctx, { person, client })
      ctx.audit.person = person
      ctx.audit.target = session.id
      ctx.tx.later(ctx.tx.update(sessions).set({ endedAt: ctx.now() }).where(eq(sessions.id, session.id)))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
    return withCookies({ terminada: true as const }, [noCookie])
  },
})
