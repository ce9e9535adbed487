import { eq } from 'drizzle-orm'
import { AppError } from '../../lib/endpoint/errors.ts'
import { handler, open, refused, withCookies } from '../../lib/endpoint/handler.ts'
import { signedInShape } from '../../lib/identity/shapes.ts'
import { renewed, sessionOfCookie } from '../../lib/sign-in/renewal.ts'
import { auditAccount, enqueueSessionBearer, signedIn } from '../../lib/sign-in/sessions.ts'
import { sessions } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/renovar',
  access: open(),
  summary: 'A new session bearer for the renewal cookie',
  description: 'Replaces the cookie. One that was replaced before and comes back ends the session.',
  cookie: true,
  output: signedInShape,
  secret: true,
  routine: true,
  errors: ['credencial_invalida', 'sesion_caducada', 'sesion_terminada'],
  async run(ctx) {
    const { session, person, client, halves } = await sessionOfCookie(ctx)
    const update = (set: Partial<typeof sessions.$inferInsert>) =>
      ctx.tx.later(ctx.tx.update(sessions).set(set).where(eq(sessions.id, session.id)))
    const next = renewed(ctx, session, halves)
    if (!next) {
      auditAccount(ctx, { person, client })
      ctx.audit.target = session.id
      update({ endedAt: ctx.now() })
      return refused(new AppError('sesion_terminada'))
    }
    update(next.row)
    const bearer = enqueueSessionBearer(ctx.tx, ctx, session.id)
    return withCookies(signedIn({ person, client }, bearer), [next.header])
  },
})
