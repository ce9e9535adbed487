import { and, asc, gt, gte, lt } from 'drizzle-orm'
import * as v from 'valibot'
import { page, pageQuery, text, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf, prefixEnd } from '../../lib/endpoint/page.ts'
import { plansVisibleTo, selectPlans } from '../../lib/plans/plans.ts'
import { planShape } from '../../lib/plans/shapes.ts'
import { planViewFor } from '../../lib/plans/view.ts'
import { plans } from '../../schema/tables.ts'

export default handler({
  method: 'GET',
  path: '/planes',
  access: allow('token', 'admin', 'client'),
  summary: 'List plans',
  description: 'A customer sees its own plan only, and not how many clients share it.',
  query: v.strictObject({ ...pageQuery, buscar: v.optional(told(text(64), 'The start of the name.')) }),
  output: page(planShape),
  async run({ tx, actor }, { query: { desde, limite, buscar } }) {
    const rows = await selectPlans(tx)
      .where(
        and(
          plansVisibleTo(tx, actor),
          desde === undefined ? undefined : gt(plans.name, desde),
          buscar === undefined ? undefined : and(gte(plans.name, buscar), lt(plans.name, prefixEnd(buscar))),
        ),
      )
      .orderBy(asc(plans.name))
      .limit(limite + 1)
    return ok(
      pageOf(
        rows,
        limite,
        ({ name }) => name,
        (row) => planViewFor(actor, row),
      ),
    )
  },
})
