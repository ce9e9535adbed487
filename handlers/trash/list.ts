import * as v from 'valibot'
import { cliente, page, pageQuery, text, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf } from '../../lib/endpoint/page.ts'
import { decidePage, placeOf } from '../../lib/trash/decide.ts'
import { keptEntries, requireBin, shownEntries } from '../../lib/trash/facts.ts'
import { deletedShape } from '../../lib/trash/shapes.ts'
import { deletedView } from '../../lib/trash/view.ts'

/** What is not measured by then is told later. */
const MEASURE_MS = 2000

export default handler({
  method: 'GET',
  path: '/papelera',
  access: allow('token', 'admin', 'client'),
  summary: 'List what was deleted and can be restored',
  description:
    'Deleted sites, databases (as their dumps) and whole clients in the bin of the node that answers, the newest first. They are kept until `caduca`. Customers see the sites and databases that were theirs.',
  query: v.strictObject({
    ...pageQuery,
    cliente: v.optional(cliente),
    buscar: v.optional(told(text(253), 'A part of the name that it had.', 'ejemplo')),
  }),
  output: page(deletedShape),
  errors: ['no_disponible', 'cursor_invalido'],
  async run(ctx, { query: { desde, limite, cliente: client, buscar: sought } }) {
    const bin = requireBin(ctx.driver?.bin ?? null)
    const entries = await shownEntries(ctx, keptEntries(bin, ctx), { client, sought })
    const found = decidePage(entries, { after: desde, limit: limite })
    const viewing = { bin, days: ctx.config.trashDays, withinMs: MEASURE_MS }
    const views = await deletedView(ctx.tx, found.slice(0, limite), viewing)
    const { siguiente } = pageOf(found, limite, placeOf, placeOf)
    return ok({ datos: views, siguiente })
  },
})
