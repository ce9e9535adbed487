import { and, asc, eq, gt, gte, lt } from 'drizzle-orm'
import * as v from 'valibot'
import { visibleTo } from '../../lib/clients/clients.ts'
import { zoneShape } from '../../lib/dns/shapes.ts'
import { selectZones, zoneView } from '../../lib/dns/zones.ts'
import { cliente, page, pageQuery, text, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf, prefixEnd } from '../../lib/endpoint/page.ts'
import { clients, zones } from '../../schema/tables.ts'

export default handler({
  method: 'GET',
  path: '/zonas',
  access: allow('token', 'admin', 'client'),
  summary: 'List DNS zones',
  query: v.strictObject({
    ...pageQuery,
    buscar: v.optional(told(text(253), 'The start of the name.')),
    cliente: v.optional(cliente),
  }),
  output: page(zoneShape),
  async run({ tx, actor, now, request }, { query: { desde, limite, buscar, cliente } }) {
    const prefix = buscar?.toLowerCase()
    const rows = await selectZones(tx, now())
      .where(
        and(
          visibleTo(actor),
          eq(zones.state, 'activa'),
          desde === undefined ? undefined : gt(zones.name, desde),
          prefix === undefined ? undefined : and(gte(zones.name, prefix), lt(zones.name, prefixEnd(prefix))),
          cliente === undefined ? undefined : eq(clients.name, cliente),
        ),
      )
      .orderBy(asc(zones.name))
      .limit(limite + 1)
    return ok(
      pageOf(
        rows,
        limite,
        ({ zone }) => zone.name,
        (row) => zoneView(row, request.language),
      ),
    )
  },
})
