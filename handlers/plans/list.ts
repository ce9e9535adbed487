import { and, asc, eq, gt, gte, lt } from 'drizzle-orm'
import * as v from 'valibot'
import { page, pageQuery, text, told } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'
import { pageOf, prefixEnd } from '../../lib/page.ts'
import { planView, selectPlans } from '../../lib/plans.ts'
import { planShape } from '../../lib/shapes.ts'
import { clients, plans } from '../../schema/tables.ts'

export default handler({
  method: 'GET',
  path: '/planes',
  access: allow('token', 'admin', 'client'),
  summary: 'List plans',
  description: 'A customer sees its own plan only, and not how many clients share it.',
  query: v.strictObject({ ...pageQuery, buscar: v.optional(told(text(64), 'The start of the name.')) }),
  output: page(planShape),
  async run({ tx, actor }, { query: { desde, limite, buscar } }) {
    const own =
      actor.kind === 'session' && actor.role === 'client'
        ? eq(
            plans.id,
            tx
              .select({ id: clients.planId })
              .from(clients)
              .where(eq(clients.id, actor.client?.id ?? -1)),
          )
        : undefined
    const rows = await selectPlans(tx)
      .where(
        and(
          own,
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
        (row) => ({ ...planView(row), ...(own ? { clientes: 1 } : {}) }),
      ),
    )
  },
})
