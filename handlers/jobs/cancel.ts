import { and, eq, inArray, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { AppError } from '../../lib/endpoint/errors.ts'
import { id } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler } from '../../lib/endpoint/handler.ts'
import { jobsVisibleTo } from '../../lib/work/facts.ts'
import { jobShape } from '../../lib/work/shapes.ts'
import { jobView } from '../../lib/work/view.ts'
import { jobs } from '../../schema/tables.ts'

export default handler({
  method: 'DELETE',
  path: '/tareas/:id',
  access: allow('token', 'admin', 'client'),
  whenFull: true,
  summary: 'Give long work up',
  description:
    'It ends as `cancelada` a moment later, with nothing left half made, or as `hecha` where it was done before. Work that brings a change of the panel about is never given up.',
  params: v.strictObject({ id }),
  output: jobShape,
  statuses: [202],
  errors: ['tarea_no_existe', 'tarea_no_cancelable'],
  async run(ctx, { params }) {
    ctx.audit.target = params.id
    const visible = and(eq(jobs.id, params.id), jobsVisibleTo(ctx.tx, ctx.actor))
    const known = ctx.tx.select({ client: jobs.clientName }).from(jobs).where(visible).get()
    // Awaited at once, since the answer says whether it could be cancelled. A waiting job still starts, to clear away
    // what it left.
    const given = ctx.tx
      .update(jobs)
      .set({
        cancelledAt: sql`coalesce(${jobs.cancelledAt}, ${ctx.now().getTime()})`,
        nextAt: sql`case when ${jobs.state} = 'pendiente' then ${ctx.now().getTime()} else ${jobs.nextAt} end`,
      })
      .where(and(visible, eq(jobs.cancellable, true), inArray(jobs.state, ['pendiente', 'en_curso'])))
      .returning()
    const [found, [row]] = await Promise.all([known, given])
    if (!found) throw new AppError('tarea_no_existe')
    if (found.client !== null) ctx.audit.client = found.client
    if (!row) throw new AppError('tarea_no_cancelable')
    ctx.work.wake()
    return accepted(jobView(row, ctx.request.language))
  },
})
