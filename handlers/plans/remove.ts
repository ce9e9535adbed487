import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { named, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { requirePlan, requireUnused } from '../../lib/plans/decide.ts'
import { selectPlans } from '../../lib/plans/plans.ts'
import { plans } from '../../schema/tables.ts'
import { planParams } from './fields.ts'

export default handler({
  method: 'DELETE',
  path: '/planes/:plan',
  access: allow('token', 'admin'),
  summary: 'Delete a plan that no client has',
  params: planParams,
  output: named(
    'PlanEliminado',
    'A plan that is gone.',
    v.strictObject({
      plan: told(v.string(), 'Its name.', 'basico'),
      eliminado: told(v.literal(true), 'It is gone.', true),
    }),
  ),
  errors: ['plan_no_existe', 'plan_en_uso'],
  async run(ctx, { params }) {
    ctx.audit.target = params.plan
    const found = await selectPlans(ctx.tx).where(eq(plans.name, params.plan)).get()
    const known = requirePlan(found, params.plan, 404)
    requireUnused(known)
    ctx.tx.later(ctx.tx.delete(plans).where(eq(plans.id, known.id)))
    return ok({ plan: known.name, eliminado: true as const })
  },
})
