import { asc, gt } from 'drizzle-orm'
import * as v from 'valibot'
import { page, pageQuery } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'
import { usageShape } from '../../lib/shapes.ts'
import { viewUsage } from '../../lib/usage.ts'
import { clients } from '../../schema/tables.ts'

export default handler({
  method: 'GET',
  path: '/uso',
  access: allow('token', 'admin'),
  summary: 'Consumption of all clients, in one pass',
  query: v.strictObject(pageQuery),
  output: page(usageShape),
  async run({ tx, now }, { query: { desde, limite } }) {
    const rows = await tx
      .select({ id: clients.id, name: clients.name })
      .from(clients)
      .where(desde === undefined ? undefined : gt(clients.name, desde))
      .orderBy(asc(clients.name))
      .limit(limite + 1)
    const shown = rows.slice(0, limite)
    const datos = await viewUsage(
      tx,
      shown.map(({ id }) => id),
      now(),
    )
    return ok({ datos, siguiente: rows.length > limite ? (shown.at(-1)?.name ?? null) : null })
  },
})
