import { and, asc, eq, gt, gte, lt } from 'drizzle-orm'
import * as v from 'valibot'
import { visibleTo } from '../../lib/clients/clients.ts'
import { cliente, page, pageQuery, text, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf, prefixEnd } from '../../lib/endpoint/page.ts'
import { siteShape } from '../../lib/sites/shapes.ts'
import { selectSites, siteView } from '../../lib/sites/view.ts'
import { clients, sites } from '../../schema/tables.ts'

export default handler({
  method: 'GET',
  path: '/sitios',
  access: allow('token', 'admin', 'client'),
  summary: 'List sites',
  query: v.strictObject({
    ...pageQuery,
    buscar: v.optional(told(text(253), 'The start of the name.')),
    cliente: v.optional(cliente),
    estado: v.optional(told(siteShape.entries.estado, 'Only those in this state.')),
  }),
  output: page(siteShape),
  async run({ tx, actor, driver, request }, { query: { desde, limite, buscar, cliente, estado } }) {
    const prefix = buscar?.toLowerCase()
    const rows = await selectSites(tx)
      .where(
        and(
          visibleTo(actor),
          desde === undefined ? undefined : gt(sites.domain, desde),
          prefix === undefined
            ? undefined
            : and(gte(sites.domain, prefix), lt(sites.domain, prefixEnd(prefix))),
          cliente === undefined ? undefined : eq(clients.name, cliente),
          estado && eq(sites.state, estado),
        ),
      )
      .orderBy(asc(sites.domain))
      .limit(limite + 1)
    return ok(
      pageOf(
        rows,
        limite,
        ({ site }) => site.domain,
        (row) => siteView(row, actor, { driver, request }),
      ),
    )
  },
})
