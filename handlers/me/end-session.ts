import { and, eq } from 'drizzle-orm'
import * as v from 'valibot'
import { AppError } from '../../lib/endpoint/errors.ts'
import { id, named, told } from '../../lib/endpoint/fields.ts'
import { handler, ok, person } from '../../lib/endpoint/handler.ts'
import { personIdOf } from '../../lib/identity/logins.ts'
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
    const own = and(eq(sessions.id, params.id), eq(sessions.personId, personIdOf(ctx.actor)))
    const found = await ctx.tx.select({ id: sessions.id }).from(sessions).where(own).get()
    if (!found) throw new AppError('sesion_no_existe')
    ctx.tx.later(ctx.tx.update(sessions).set({ endedAt: ctx.now() }).where(own))
    return ok({ id: params.id, terminada: true as const })
  },
})
