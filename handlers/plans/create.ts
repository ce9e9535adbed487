import * as v from 'valibot'
import { plan } from '../../lib/endpoint/fields.ts'
import { allow, created, handler } from '../../lib/endpoint/handler.ts'
import { requirePlanNameFree } from '../../lib/plans/decide.ts'
import { planNamed, planReading } from '../../lib/plans/plans.ts'
import { FUNCTIONS, planShape } from '../../lib/plans/shapes.ts'
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
    requirePlanNameFree(await planNamed(ctx.tx, name))
    ctx.tx.later(ctx.tx.insert(plans).values({ name, createdAt: ctx.now(), ...columns }))
    return created(planReading(ctx.tx, name), `/planes/${encodeURIComponent(name)}`)
  },
})
