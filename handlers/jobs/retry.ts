import { and, eq, inArray } from 'drizzle-orm'
import * as v from 'valibot'
import { AppError } from '../../lib/errors.ts'
import { id } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'
import { jobView } from '../../lib/job-view.ts'
import { jobShape } from '../../lib/shapes.ts'
import { uniqueness } from '../../lib/sites.ts'
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
    const known = await ctx.tx.select().from(jobs).where(eq(jobs.id, params.id)).get()
    if (!known) throw new AppError('tarea_no_existe')
    try {
      const rows = await ctx.tx
        .update(jobs)
        .set({ state: 'pendiente', nextAt: ctx.now(), attempts: 0, finishedAt: null })
        .where(and(eq(jobs.id, params.id), inArray(jobs.state, ['fallida', 'pendiente'])))
        .returning()
      const [row] = rows
      if (!row) throw new AppError('tarea_no_fallida')
      ctx.work.wake()
      return ok(jobView(row, ctx.request.language))
    } catch (error) {
      // The same work is queued again already.
      throw uniqueness(error) ? new AppError('tarea_no_fallida') : error
    }
  },
})
