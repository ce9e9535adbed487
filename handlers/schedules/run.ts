import * as v from 'valibot'
import { domain, id } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler } from '../../lib/endpoint/handler.ts'
import { requireFunction } from '../../lib/plans/decide.ts'
import { clientsPlan } from '../../lib/plans/room.ts'
import { runJob } from '../../lib/schedules/commands.ts'
import { requireIdle } from '../../lib/schedules/decide.ts'
import { scheduleToChange } from '../../lib/schedules/facts.ts'
import { ownerOf } from '../../lib/sites/facts.ts'
import { enqueue } from '../../lib/work/jobs.ts'
import { workShape } from '../../lib/work/shapes.ts'
import { workReading } from '../../lib/work/view.ts'

export default handler({
  method: 'POST',
  path: '/sitios/:domain/programadas/:id/ejecutar',
  access: allow('token', 'admin', 'client'),
  summary: 'Run a scheduled task now',
  description: 'How it went stands among its runs, under the id of the work.',
  params: v.strictObject({ domain, id }),
  output: workShape,
  statuses: [202],
  errors: [
    'sitio_no_existe',
    'programada_no_existe',
    'cliente_en_otro_nodo',
    'cliente_eliminandose',
    'cliente_suspendido',
    'funcion_de_pago',
    'ya_en_curso',
  ],
  async run(ctx, { params }) {
    const [{ schedule, client, running }, plan] = await Promise.all([
      scheduleToChange(ctx, params),
      clientsPlan(ctx.tx, ownerOf(ctx.tx, params.domain)),
    ])
    requireFunction(plan, 'programadas')
    requireIdle(client, running)
    const job = runJob(client, schedule.id)
    enqueue(ctx.tx, ctx, job)
    ctx.work.wake()
    return accepted(workReading(ctx.tx, job))
  },
})
