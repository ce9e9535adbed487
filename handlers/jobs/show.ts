import { and, eq } from 'drizzle-orm'
import * as v from 'valibot'
import { requireStanding, requireUnexpired } from '../../lib/endpoint/access.ts'
import type { ReadCtx } from '../../lib/endpoint/context.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { id } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { eventStream } from '../../lib/endpoint/stream/events.ts'
import type { Db } from '../../lib/store/database.ts'
import { jobsVisibleTo } from '../../lib/work/facts.ts'
import { chargeFollow, jobChanges, jobEvent } from '../../lib/work/follow.ts'
import { jobShape } from '../../lib/work/shapes.ts'
import { jobView } from '../../lib/work/view.ts'
import { jobs } from '../../schema/tables.ts'

const access = allow('token', 'admin', 'client')

export default handler({
  method: 'GET',
  path: '/tareas/:id',
  access,
  summary: 'Show background work: how far it is, and what it answers once it is done',
  description:
    'What is done is told for fourteen days. With `Accept: text/event-stream` it comes each time that it has changed: `event: tarea`, the work as `data`, and a comment every 15 seconds. That ends once the work is over, after a minute, or when the caller may read it no longer; at most 30 times a minute by each caller.',
  params: v.strictObject({ id }),
  output: jobShape,
  errors: ['tarea_no_existe', 'espera'],
  run: async (ctx, { params }) => ok(await seen(ctx, ctx.tx, params.id)),
  async follow(ctx, { params }) {
    chargeFollow(ctx, ctx.actor)
    const first = await seen(ctx, ctx.tx, params.id)
    const changes = jobChanges(first, () => seen(ctx, ctx.db.read, params.id))
    return eventStream(changes, [jobEvent(first)], async () => {
      requireUnexpired(ctx.actor, ctx.now())
      await requireStanding(ctx.db.read, { access, method: 'GET' }, ctx.actor)
    })
  },
})

async function seen({ actor, request }: ReadCtx, db: Db, job: string) {
  const row = await db
    .select()
    .from(jobs)
    .where(and(eq(jobs.id, job), jobsVisibleTo(db, actor)))
    .get()
  if (!row) throw new AppError('tarea_no_existe')
  return jobView(row, request.language)
}
