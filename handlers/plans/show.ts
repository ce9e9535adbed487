import { and, eq } from 'drizzle-orm'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { requirePlan } from '../../lib/plans/decide.ts'
import { plansVisibleTo, selectPlans } from '../../lib/plans/plans.ts'
import { planShape } from '../../lib/plans/shapes.ts'
import { planViewFor } from '../../lib/plans/view.ts'
import { plans } from '../../schema/tables.ts'
import { planParams } from './fields.ts'

export default handler({
  method: 'GET',
  path: '/planes/:plan',
  access: allow('token', 'admin', 'client'),
  summary: 'Show a plan',
  params: planParams,
  output: planShape,
  errors: ['plan_no_existe'],
  async run({ tx, actor }, { params }) {
    const row = await selectPlans(tx)
      .where(and(eq(plans.name, params.plan), plansVisibleTo(tx, actor)))
      .get()
    return ok(planViewFor(actor, requirePlan(row, params.plan, 404)))
  },
})
