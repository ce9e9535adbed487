import { and, eq, inArray, not } from 'drizzle-orm'
import * as v from 'valibot'
import { AppError } from '../../lib/endpoint/errors.ts'
import { id } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { uniqueness } from '../../lib/store/uniqueness.ts'
import { isForgotten } from '../../lib/work/jobs.ts'
import { jobShape } from '../../lib/work/shapes.ts'
import { jobView } from '../../lib/work/view.ts'
import { jobs } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/tareas/:id/reintentar',
  access: allow('token', 'admin'),
  whenFull: true,
  summary: 'Try a failed or waiting job again now',
  params: v.strictObject({ id }),
  output: jobShape,
  errors: ['tarea_no_existe', 'tarea_no_fallida'],
  async run(ctx, { params }) {
    ctx.audit.target = params.id
    const known = ctx.tx.select({ id: jobs.id }).from(jobs).where(eq(jobs.id, params.id)).get()
    // Awaited at once, since a clash with a newer job is a refusal and the row is the answer.
    const again = ctx.tx
      .update(jobs)
      .set({ state: 'pendiente', nextAt: ctx.now(), attempts: 0, finishedAt: null, cancelledAt: null })
      .where(and(eq(jobs.id, params.id), inArray(jobs.state, ['fallida', 'pendiente']), not(isForgotten)))
      .returning()
    try {
      const [found, [row]] = await Promise.all([known, again])
      if (!found) throw new AppError('tarea_no_existe')
      if (!row) throw new AppError('tarea_no_fallida')
      ctx.work.wake()
      return ok(jobView(row, ctx.request.language))
    } catch (error) {
      // An identical job has been queued since.
      throw uniqueness(error) ? new AppError('tarea_no_fallida') : error
    }
  },
})
