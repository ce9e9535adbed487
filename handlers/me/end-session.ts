import { and, eq } from 'drizzle-orm'
import * as v from 'valibot'
import { AppError } from '../../lib/errors.ts'
import { id, named, told } from '../../lib/fields.ts'
import { handler, ok, person } from '../../lib/handler.ts'
import { personOf } from '../../lib/logins.ts'
import { sessions } from '../../schema/tables.ts'

export default handler({
  method: 'DELETE',
  path: '/yo/sesiones/:id',
  access: person('admin', 'client'),
  summary: 'End one of the own sessions',
  params: v.strictObject({ id }),
  output: named(
    'SesionTerminada',
    'A session that has ended.',
    v.strictObject({
      id: told(v.string(), 'Its key.', 'ses_01JD8Z3K9Q'),
      terminada: told(v.literal(true), 'It has ended.', true),
    }),
  ),
  errors: ['sesion_no_existe'],
  async run(ctx, { params }) {
    ctx.audit.target = params.id
    const me = await personOf(ctx)
    const rows = await ctx.tx
      .update(sessions)
      .set({ endedAt: ctx.now() })
      .where(and(eq(sessions.id, params.id), eq(sessions.personId, me.id)))
      .returning({ id: sessions.id })
    if (rows.length === 0) throw new AppError('sesion_no_existe')
    return ok({ id: params.id, terminada: true as const })
  },
})
