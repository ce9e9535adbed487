import * as v from 'valibot'
import { plan } from '../../lib/fields.ts'
import { allow, created, handler } from '../../lib/handler.ts'
import { planReading, requirePlanNameFree } from '../../lib/plans.ts'
import { FUNCTIONS, planShape } from '../../lib/shapes.ts'
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
  errors: ['ya_existe'],
  async run(ctx, { body: { plan: name, ...fields } }) {
    ctx.audit.target = name
    const columns = { functions: [...FUNCTIONS], ...planColumns(fields) }
    await requirePlanNameFree(ctx.tx, name)
    await ctx.tx.insert(plans).values({ name, createdAt: ctx.now(), ...columns })
    return created(planReading(ctx.tx, name), `/planes/${encodeURIComponent(name)}`)
  },
})
