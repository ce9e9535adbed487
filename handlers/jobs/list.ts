import { and, desc, eq, lt } from 'drizzle-orm'
import * as v from 'valibot'
import { cliente, page, pageQuery, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf } from '../../lib/endpoint/page.ts'
import type { Job } from '../../lib/work/jobs.ts'
import { jobShape } from '../../lib/work/shapes.ts'
import { jobView } from '../../lib/work/view.ts'
import { jobs } from '../../schema/tables.ts'

export default handler({
  method: 'GET',
  path: '/tareas',
  access: allow('token', 'admin'),
  summary: 'Background work: state, attempts, last error; newest first',
  query: v.strictObject({
    ...pageQuery,
    estado: v.optional(told(jobShape.entries.estado, 'Only that in this state.')),
    cliente: v.optional(cliente),
  }),
  output: page(jobShape),
  async run({ tx, request }, { query: { desde, limite, estado, cliente } }) {
    const rows = await tx
      .select()
      .from(jobs)
      .where(
        and(
          desde === undefined ? undefined : lt(jobs.id, desde),
          estado && eq(jobs.state, estado),
          cliente === undefined ? undefined : eq(jobs.clientName, cliente),
        ),
      )
      .orderBy(desc(jobs.id))
      .limit(limite + 1)
    const view = (row: Job) => jobView(row, request.language)
    return ok(pageOf(rows, limite, ({ id }) => id, view))
  },
})
