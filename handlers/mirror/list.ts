import { and, asc, eq, gt, gte, lt } from 'drizzle-orm'
import * as v from 'valibot'
import { cliente, nodo, page, pageQuery, text, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf, prefixEnd } from '../../lib/endpoint/page.ts'
import { mirrorShape, mirrorView, selectMirrors } from '../../lib/mirror/view.ts'
import { mirrors } from '../../schema/tables.ts'

export default handler({
  method: 'GET',
  path: '/espejo',
  access: allow('token', 'admin'),
  summary: 'List mirrored zones',
  description:
    'Those that were dropped stay in the list with their reason. `buscar` is a prefix of the zone.',
  query: v.strictObject({
    ...pageQuery,
    buscar: v.optional(told(text(253), 'The start of the zone.')),
    estado: v.optional(told(mirrorShape.entries.estado, 'Only those in this state.')),
    cliente: v.optional(cliente),
    nodo: v.optional(nodo),
  }),
  output: page(mirrorShape),
  async run({ tx, now, request }, { query: { desde, limite, buscar, estado, cliente, nodo } }) {
    const prefix = buscar?.toLowerCase()
    const rows = await selectMirrors(tx, now())
      .where(
        and(
          desde === undefined ? undefined : gt(mirrors.zone, desde),
          prefix === undefined ? undefined : gte(mirrors.zone, prefix),
          prefix === undefined ? undefined : lt(mirrors.zone, prefixEnd(prefix)),
          estado && eq(mirrors.state, estado),
          cliente === undefined ? undefined : eq(mirrors.clientName, cliente),
          nodo === undefined ? undefined : eq(mirrors.node, nodo),
        ),
      )
      .orderBy(asc(mirrors.zone))
      .limit(limite + 1)
    return ok(
      pageOf(
        rows,
        limite,
        ({ row }) => row.zone,
        (mirror) => mirrorView(mirror, request.language),
      ),
    )
  },
})
