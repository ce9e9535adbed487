import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { AppError } from '../../lib/errors.ts'
import { plan } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'
import { enqueue } from '../../lib/jobs.ts'
import { findPlan, planView, selectPlans } from '../../lib/plans.ts'
import { planShape } from '../../lib/shapes.ts'
import { uniqueness } from '../../lib/sites.ts'
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
  async run(ctx, { params, body: { plan: renamed, ...fields } }) {
    ctx.audit.target = params.plan
    const known = await findPlan(ctx.tx, params.plan, 404)
    const set = { ...planColumns(fields), ...(renamed === undefined ? {} : { name: renamed }) }
    try {
      if (Object.keys(set).length > 0) await ctx.tx.update(plans).set(set).where(eq(plans.id, known.id))
    } catch (error) {
      throw uniqueness(error) ? new AppError('ya_existe') : error
    }
    for (const { name } of await ctx.tx.select({ name: nodes.name }).from(nodes)) {
      enqueue(ctx.tx, ctx, {
        kind: 'plan.aplicar',
        node: name,
        subject: `plan:${known.id}`,
        target: name,
        payload: { plan: known.id },
      })
    }
    ctx.work.wake()
    const row = await selectPlans(ctx.tx).where(eq(plans.id, known.id)).get()
    if (!row) throw new AppError('plan_no_existe', { plan: params.plan })
    return ok(planView(row))
  },
})
