import { asc, gt } from 'drizzle-orm'
import * as v from 'valibot'
import { page, pageQuery } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf } from '../../lib/endpoint/page.ts'
import { mapped } from '../../lib/store/reading.ts'
import { usageShape } from '../../lib/usage/shapes.ts'
import { usageReading } from '../../lib/usage/usage.ts'
import { clients } from '../../schema/tables.ts'

export default handler({
  method: 'GET',
  path: '/uso',
  access: allow('token', 'admin'),
  summary: 'Consumption of all clients, in one pass',
  query: v.strictObject(pageQuery),
  output: page(usageShape),
  async run({ tx, now }, { query: { desde, limite } }) {
    const ids = tx
      .select({ id: clients.id })
      .from(clients)
      .where(desde === undefined ? undefined : gt(clients.name, desde))
      .orderBy(asc(clients.name))
      .limit(limite + 1)
    return ok(
      mapped(usageReading(tx, ids, now()), (rows) =>
        pageOf(
          rows,
          limite,
          ({ cliente }) => cliente,
          (view) => view,
        ),
      ),
    )
  },
})
