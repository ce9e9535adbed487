import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { plan } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'
import { enqueue } from '../../lib/jobs.ts'
import { findPlan, planReading, requirePlanNameFree } from '../../lib/plans.ts'
import { planShape } from '../../lib/shapes.ts'
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
    const nodesOf = () => ctx.tx.select({ name: nodes.name }).from(nodes)
    await ctx.tx.ahead(
      () => findPlan(ctx.tx, params.plan, 404),
      async () => renamed !== undefined && requirePlanNameFree(ctx.tx, renamed),
      nodesOf,
    )
    const known = await findPlan(ctx.tx, params.plan, 404)
    const set = { ...planColumns(fields), ...(renamed === undefined ? {} : { name: renamed }) }
    if (renamed !== undefined && renamed !== known.name) await requirePlanNameFree(ctx.tx, renamed)
    if (Object.keys(set).length > 0) await ctx.tx.update(plans).set(set).where(eq(plans.id, known.id))
    for (const { name } of await nodesOf()) {
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
