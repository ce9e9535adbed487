import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { changesOf } from '../../lib/audit/changes.ts'
import { domain, id } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { decideChange } from '../../lib/schedules/decide.ts'
import { scheduleToChange } from '../../lib/schedules/facts.ts'
import { activa, cuando, orden, scheduleShape } from '../../lib/schedules/shapes.ts'
import { scheduleReading } from '../../lib/schedules/view.ts'
import { schedules } from '../../schema/tables.ts'

export default handler({
  method: 'PATCH',
  path: '/sitios/:domain/programadas/:id',
  access: allow('token', 'admin', 'client'),
  summary: 'Change a scheduled task, or switch it off or on',
  params: v.strictObject({ domain, id }),
  body: v.strictObject({
    cuando: v.optional(cuando),
    orden: v.optional(orden),
    activa: v.optional(activa),
  }),
  output: scheduleShape,
  errors: ['sitio_no_existe', 'programada_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose'],
  async run(ctx, { params, body }) {
    const { schedule } = await scheduleToChange(ctx, params)
    const change = { pattern: body.cuando, argv: body.orden, active: body.activa }
    const before = { cuando: schedule.pattern, orden: schedule.argv, activa: schedule.active }
    // An argument of a program may be a secret.
    ctx.audit.changes = changesOf(before, body, ['orden'])
    const set = decideChange(schedule, change, ctx.now())
    ctx.tx.later(ctx.tx.update(schedules).set(set).where(eq(schedules.id, schedule.id)))
    return ok(scheduleReading(ctx, params))
  },
})
