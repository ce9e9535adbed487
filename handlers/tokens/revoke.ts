import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { AppError } from '../../lib/endpoint/errors.ts'
import { id } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { tokenShape } from '../../lib/identity/shapes.ts'
import { tokenView } from '../../lib/identity/tokens.ts'
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
    const found = await ctx.tx.select().from(tokens).where(eq(tokens.id, params.id)).get()
    if (!found) throw new AppError('token_no_existe')
    ctx.audit.detail = { nombre: found.name }
    const row = found.revokedAt ? found : { ...found, revokedAt: ctx.now(), revokedWhy: 'revocado' }
    const { revokedAt, revokedWhy } = row
    ctx.tx.later(ctx.tx.update(tokens).set({ revokedAt, revokedWhy }).where(eq(tokens.id, row.id)))
    return ok(tokenView(row, ctx.now()))
  },
})
