import { and, eq } from 'drizzle-orm'
import * as v from 'valibot'
import { AppError } from '../../lib/endpoint/errors.ts'
import { id } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { jobsVisibleTo } from '../../lib/work/facts.ts'
import { jobShape } from '../../lib/work/shapes.ts'
import { jobView } from '../../lib/work/view.ts'
import { jobs } from '../../schema/tables.ts'

export default handler({
  method: 'GET',
  path: '/tareas/:id',
  access: allow('token', 'admin', 'client'),
  summary: 'Show background work: how far it is, and what it answers once it is done',
  description: 'What is done is told for fourteen days.',
  params: v.strictObject({ id }),
  output: jobShape,
  errors: ['tarea_no_existe'],
  async run({ tx, actor, request }, { params }) {
    const row = await tx
      .select()
      .from(jobs)
      .where(and(eq(jobs.id, params.id), jobsVisibleTo(tx, actor)))
      .get()
    if (!row) throw new AppError('tarea_no_existe')
    return ok(jobView(row, request.language))
  },
})
