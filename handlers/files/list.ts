import * as v from 'valibot'
import { domain, page, pageQuery } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf } from '../../lib/endpoint/page.ts'
import { siteFiles } from '../../lib/files/facts.ts'
import { entryShape, fileName, REFUSALS, ruta } from '../../lib/files/shapes.ts'
import { entryView } from '../../lib/files/view.ts'

export default handler({
  method: 'GET',
  path: '/sitios/:domain/archivos',
  access: allow('token', 'admin', 'client'),
  summary: 'List a folder of a site',
  description: 'In the order of their names. It is read as the client itself would read it.',
  params: v.strictObject({ domain }),
  query: v.strictObject({ ...pageQuery, desde: v.optional(fileName), ruta: v.optional(ruta, '/') }),
  whileSuspended: true,
  output: page(entryShape),
  errors: [...REFUSALS, 'archivo_no_existe', 'ruta_invalida'],
  async run(ctx, { params, query }) {
    const { files, at } = await siteFiles(ctx, ctx, { domain: params.domain, path: query.ruta })
    const entries = await files.list(at, { after: query.desde, limit: query.limite })
    return ok(pageOf(entries, query.limite, ({ name }) => name, entryView))
  },
})
