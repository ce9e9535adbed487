import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { AppError } from '../../lib/errors.ts'
import { plan } from '../../lib/fields.ts'
import { allow, created, handler } from '../../lib/handler.ts'
import { planView, selectPlans } from '../../lib/plans.ts'
import { FUNCTIONS, planShape } from '../../lib/shapes.ts'
import { uniqueness } from '../../lib/sites.ts'
import { plans } from '../../schema/tables.ts'
import { planColumns, planFields } from './fields.ts'

export default handler({
  method: 'POST',
  path: '/planes',
  access: allow('token', 'admin'),
  summary: 'Create a plan',
  body: v.strictObject({ plan, ...planFields }),
  output: planShape,
  statuses: [201],
  async run(ctx, { body: { plan: name, ...fields } }) {
    ctx.audit.target = name
    const columns = { functions: [...FUNCTIONS], ...planColumns(fields) }
    try {
      await ctx.tx.insert(plans).values({ name, createdAt: ctx.now(), ...columns })
    } catch (error) {
      throw uniqueness(error) ? new AppError('ya_existe') : error
    }
    const row = await selectPlans(ctx.tx).where(eq(plans.name, name)).get()
    if (!row) throw new Error('the plan was not inserted')
    return created(planView(row), `/planes/${encodeURIComponent(name)}`)
  },
})
