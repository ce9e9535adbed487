import { and, eq } from 'drizzle-orm'
import { AppError } from '../../lib/errors.ts'
import { allow, handler, ok } from '../../lib/handler.ts'
import { planView, selectPlans } from '../../lib/plans.ts'
import { planShape } from '../../lib/shapes.ts'
import { clients, plans } from '../../schema/tables.ts'
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
    const customer = actor.kind === 'session' && actor.role === 'client'
    const own = customer
      ? eq(
          plans.id,
          tx
            .select({ id: clients.planId })
            .from(clients)
            .where(eq(clients.id, actor.client?.id ?? -1)),
        )
      : undefined
    const row = await selectPlans(tx)
      .where(and(eq(plans.name, params.plan), own))
      .get()
    if (!row) throw new AppError('plan_no_existe', { plan: params.plan })
    return ok({ ...planView(row), ...(customer ? { clientes: 1 } : {}) })
  },
})
