import * as v from 'valibot'
import { domain, id, named, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { queueRemoval } from '../../lib/schedules/commands.ts'
import { scheduleToChange } from '../../lib/schedules/facts.ts'

export default handler({
  method: 'DELETE',
  path: '/sitios/:domain/programadas/:id',
  access: allow('token', 'admin', 'client'),
  summary: 'Delete a scheduled task, and end its run',
  params: v.strictObject({ domain, id }),
  output: named(
    'ProgramadaEliminada',
    'A scheduled task that is gone.',
    v.strictObject({
      id: told(v.string(), 'Its key.', 'pro_01JD8Z3K9Q'),
      eliminado: told(v.literal(true), 'It is gone.', true),
    }),
  ),
  errors: ['sitio_no_existe', 'programada_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose'],
  async run(ctx, { params }) {
    const { schedule } = await scheduleToChange(ctx, params)
    ctx.tx.later(...queueRemoval(ctx, schedule))
    return ok({ id: schedule.id, eliminado: true as const })
  },
})
