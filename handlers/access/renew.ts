import { eq } from 'drizzle-orm'
import { handler, ok, open } from '../../lib/handler.ts'
import { cookie, newSessionBearer, RENEWAL_MS, sessionOfCookie, signedIn } from '../../lib/sessions.ts'
import { signedInShape } from '../../lib/shapes.ts'
import { sessions } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/renovar',
  access: open(),
  summary: 'A new session bearer for the renewal cookie',
  cookie: true,
  output: signedInShape,
  secret: true,
  routine: true,
  async run(ctx) {
    const { session, person, value } = await sessionOfCookie(ctx)
    const now = ctx.now()
    ctx.tx.later(
      ctx.tx
        .update(sessions)
        .set({ renewedAt: now, expiresAt: new Date(now.getTime() + RENEWAL_MS) })
        .where(eq(sessions.id, session.id)),
    )
    const bearer = await newSessionBearer(ctx.tx, ctx, session.id)
    return ok(await signedIn(ctx, person, bearer), { 'set-cookie': cookie(value) })
  },
})
