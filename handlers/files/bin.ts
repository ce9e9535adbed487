import * as v from 'valibot'
import { domain, page, pageQuery } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { siteFiles } from '../../lib/files/facts.ts'
import { binEntry, binShape, REFUSALS } from '../../lib/files/shapes.ts'
import { binView } from '../../lib/files/view.ts'

export default handler({
  method: 'GET',
  path: '/sitios/:domain/archivos/papelera',
  access: allow('token', 'admin', 'client'),
  summary: "List the bin of a site's files",
  description:
    'The newest first. What is in it counts for its client until it is restored or deleted for good; the operations `papelera`, `restaurar` and `vaciar` change it.',
  params: v.strictObject({ domain }),
  query: v.strictObject({ ...pageQuery, desde: v.optional(binEntry) }),
  whileSuspended: true,
  output: page(binShape),
  errors: REFUSALS,
  async run(ctx, { params, query }) {
    const { files, at } = await siteFiles(ctx, ctx, { domain: params.domain, path: '/' })
    const { entries, next } = await files.bin(at, { after: query.desde, limit: query.limite })
    return ok({ datos: entries.map(binView(ctx.config.trashDays)), siguiente: next })
  },
})
