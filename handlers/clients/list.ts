import { and, asc, eq, gt, gte, lt, or, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { clientView, selectClients } from '../../lib/clients.ts'
import { page, pageQuery, plan, referencia, text } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'
import { pageOf, prefixEnd } from '../../lib/page.ts'
import { clientShape } from '../../lib/shapes.ts'
import { clients, plans } from '../../schema/tables.ts'

export default handler({
  method: 'GET',
  path: '/clientes',
  access: allow('token', 'admin'),
  summary: 'List clients',
  description: '`buscar` is a prefix of the client name or of the e-mail address.',
  query: v.strictObject({
    ...pageQuery,
    buscar: v.optional(text(254)),
    estado: v.optional(v.picklist(['activo', 'suspendido', 'eliminando'])),
    plan: v.optional(plan),
    referencia: v.optional(referencia),
  }),
  output: page(clientShape),
  async run({ tx }, { query: { desde, limite, buscar, estado, plan, referencia } }) {
    const prefix = buscar?.toLowerCase()
    const rows = await selectClients(tx)
      .where(
        and(
          desde === undefined ? undefined : gt(clients.name, desde),
          prefix === undefined
            ? undefined
            : or(
                and(gte(clients.name, prefix), lt(clients.name, prefixEnd(prefix))),
                and(
                  gte(sql`lower(${clients.email})`, prefix),
                  lt(sql`lower(${clients.email})`, prefixEnd(prefix)),
                ),
              ),
          estado && eq(clients.state, estado),
          plan === undefined ? undefined : eq(plans.name, plan),
          referencia === undefined ? undefined : eq(clients.reference, referencia),
        ),
      )
      .orderBy(asc(clients.name))
      .limit(limite + 1)
    return ok(pageOf(rows, limite, ({ name }) => name, clientView))
  },
})
