import { and, asc, eq, gt, gte, lt } from 'drizzle-orm'
import * as v from 'valibot'
import { visibleTo } from '../../lib/clients/clients.ts'
import { databaseShape } from '../../lib/databases/shapes.ts'
import { databaseView, selectDatabases } from '../../lib/databases/view.ts'
import { cliente, page, pageQuery, text, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf, prefixEnd } from '../../lib/endpoint/page.ts'
import { clients, databases } from '../../schema/tables.ts'

export default handler({
  method: 'GET',
  path: '/bases',
  access: allow('token', 'admin', 'client'),
  summary: 'List databases',
  query: v.strictObject({
    ...pageQuery,
    buscar: v.optional(told(text(64), 'The start of the name.')),
    cliente: v.optional(cliente),
  }),
  output: page(databaseShape),
  async run(ctx, { query: { desde, limite, buscar, cliente } }) {
    const prefix = buscar?.toLowerCase()
    const rows = await selectDatabases(ctx.tx)
      .where(
        and(
          visibleTo(ctx.actor),
          desde === undefined ? undefined : gt(databases.name, desde),
          prefix === undefined
            ? undefined
            : and(gte(databases.name, prefix), lt(databases.name, prefixEnd(prefix))),
          cliente === undefined ? undefined : eq(clients.name, cliente),
        ),
      )
      .orderBy(asc(databases.name))
      .limit(limite + 1)
    return ok(
      pageOf(
        rows,
        limite,
        ({ database }) => database.name,
        (row) => databaseView(row, ctx),
      ),
    )
  },
})
