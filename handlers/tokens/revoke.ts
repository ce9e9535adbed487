import { and, eq, isNull } from 'drizzle-orm'
import * as v from 'valibot'
import { AppError } from '../../lib/errors.ts'
import { id } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'
import { tokenShape } from '../../lib/shapes.ts'
import { tokenView } from '../../lib/tokens.ts'
import { tokens } from '../../schema/tables.ts'

export default handler({
  method: 'DELETE',
  path: '/tokens/:id',
  access: allow('token', 'admin'),
  summary: 'Revoke an API token; it is dead at the next request',
  params: v.strictObject({ id }),
  output: tokenShape,
  errors: ['token_no_existe'],
  async run(ctx, { params }) {
    ctx.audit.target = params.id
    await ctx.tx
      .update(tokens)
      .set({ revokedAt: ctx.now(), revokedWhy: 'revocado' })
      .where(and(eq(tokens.id, params.id), isNull(tokens.revokedAt)))
    const row = await ctx.tx.select().from(tokens).where(eq(tokens.id, params.id)).get()
    if (!row) throw new AppError('token_no_existe')
    return ok(tokenView(row, ctx.now()))
  },
})
