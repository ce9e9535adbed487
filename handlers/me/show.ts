import { and, count, eq, isNull } from 'drizzle-orm'
import { handler, ok, person } from '../../lib/endpoint/handler.ts'
import { personOf } from '../../lib/identity/logins.ts'
import { meShape } from '../../lib/identity/shapes.ts'
import { liveTokens, tokenView } from '../../lib/identity/tokens.ts'
import { waysView } from '../../lib/identity/ways-view.ts'
import { recoveryCodes, tokens } from '../../schema/tables.ts'

export default handler({
  method: 'GET',
  path: '/yo',
  access: person('admin', 'client'),
  whileSuspended: true,
  summary: 'The own account',
  description: '`tokens` are those that a change of password or factor would revoke.',
  output: meShape,
  async run(ctx) {
    const me = await personOf(ctx)
    const [mine, codes] = await ctx.tx.batch([
      ctx.tx
        .select()
        .from(tokens)
        .where(and(eq(tokens.creatorId, me.id), liveTokens(ctx.now()))),
      ctx.tx
        .select({ left: count() })
        .from(recoveryCodes)
        .where(and(eq(recoveryCodes.personId, me.id), isNull(recoveryCodes.usedAt))),
    ])
    const session = ctx.actor.kind === 'session' ? ctx.actor : null
    return ok({
      correo: me.email,
      rol: me.role,
      cliente: session?.client?.name ?? null,
      estado_cliente: session?.client?.state ?? null,
      segundo_factor: me.totpSecret !== null,
      codigos_recuperacion: codes[0]?.left ?? 0,
      tokens: mine.map((row) => tokenView(row, ctx.now())),
      ...waysView(me),
      suplantada_por: session?.impersonator ?? null,
    })
  },
})
