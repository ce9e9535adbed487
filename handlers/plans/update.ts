import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { changesOf } from '../../lib/audit/changes.ts'
import { plan } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { requirePlan, requirePlanNameFree } from '../../lib/plans/decide.ts'
import { planNamed, planReading } from '../../lib/plans/plans.ts'
import { planShape } from '../../lib/plans/shapes.ts'
import { planView } from '../../lib/plans/view.ts'
import { enqueue } from '../../lib/work/jobs.ts'
import { nodes, plans } from '../../schema/tables.ts'
import { planColumns, planFields, planParams } from './fields.ts'

export default handler({
  method: 'PATCH',
  path: '/planes/:plan',
  access: allow('token', 'admin'),
  summary: 'Change a plan',
  description: 'The new limits apply to its clients at once; a new name stays assigned to them.',
  params: planParams,
  body: v.strictObject({ plan: v.optional(plan), ...planFields }),
  output: planShape,
  errors: ['plan_no_existe', 'ya_existe'],
  async run(ctx, { params, body: { plan: renamed, ...fields } }) {
    ctx.audit.target = params.plan
    const [found, holder, present] = await Promise.all([
      planNamed(ctx.tx, params.plan),
      renamed === undefined ? undefined : planNamed(ctx.tx, renamed),
      ctx.tx.select({ name: nodes.name }).from(nodes),
    ])
    const known = requirePlan(found, params.plan, 404)
    requirePlanNameFree(holder, known)
    ctx.audit.changes = changesOf(planView({ ...known, clients: 0 }), { plan: renamed, ...fields })
    const set = { ...planColumns(fields), ...(renamed === undefined ? {} : { name: renamed }) }
    if (Object.keys(set).length > 0) ctx.tx.later(ctx.tx.update(plans).set(set).where(eq(plans.id, known.id)))
    for (const { name } of present) {
      enqueue(ctx.tx, ctx, {
        kind: 'plan.aplicar',
        node: name,
        subject: `plan:${known.id}`,
        target: name,
        payload: { plan: known.id },
      })
    }
    ctx.work.wake()
    return ok(planReading(ctx.tx, renamed ?? known.name))
  },
})
