import * as v from 'valibot'
import { decideCopies, requireIdle, requireTurn } from '../../lib/backups/decide.ts'
import { copyFacts, countAsked, waitToAsk } from '../../lib/backups/facts.ts'
import { copyJob } from '../../lib/backups/job.ts'
import { REFUSALS } from '../../lib/backups/shapes.ts'
import { cliente } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler } from '../../lib/endpoint/handler.ts'
import { enqueue } from '../../lib/work/jobs.ts'
import { workShape } from '../../lib/work/shapes.ts'
import { workReading } from '../../lib/work/view.ts'

export default handler({
  method: 'POST',
  path: '/clientes/:cliente/copias',
  access: allow('token', 'admin', 'client'),
  summary: 'Copy all that a client has',
  description:
    'Its sites, databases, tasks and settings, now and besides the nightly copy. What cannot be copied does not end the rest; the copy is then `incompleta`. `resultado.copia` is its id. Customers may ask for 20 copies and restores within 24 hours.',
  params: v.strictObject({ cliente }),
  whileSuspended: true,
  output: workShape,
  statuses: [202],
  errors: [...REFUSALS, 'ya_en_curso'],
  async run(ctx, { params }) {
    const [found, waitSeconds] = await Promise.all([
      copyFacts(ctx, { client: params.cliente }),
      waitToAsk(ctx, params.cliente),
    ])
    const facts = decideCopies(found, ctx.config.node)
    requireIdle(facts.waiting)
    requireTurn({ actor: ctx.actor, underWay: 0, waitSeconds })
    countAsked(ctx, params.cliente)
    ctx.audit.outcome = 'pedido'
    const job = copyJob(ctx, facts.client)
    enqueue(ctx.tx, ctx, job)
    ctx.work.wake()
    return accepted(workReading(ctx.tx, job))
  },
})
