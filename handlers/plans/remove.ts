import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { AppError } from '../../lib/errors.ts'
import { named, told } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'
import { findPlan } from '../../lib/plans.ts'
import { clients, plans } from '../../schema/tables.ts'
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
    const known = await findPlan(ctx.tx, params.plan, 404)
    const user = await ctx.tx
      .select({ id: clients.id })
      .from(clients)
      .where(eq(clients.planId, known.id))
      .get()
    if (user) throw new AppError('plan_en_uso')
    ctx.tx.later(ctx.tx.delete(plans).where(eq(plans.id, known.id)))
    return ok({ plan: known.name, eliminado: true as const })
  },
})
