import * as v from 'valibot'
import { domain } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { siteFiles } from '../../lib/files/facts.ts'
import { conditionsOf, REFUSALS, ruta, writtenShape } from '../../lib/files/shapes.ts'

export default handler({
  method: 'DELETE',
  path: '/sitios/:domain/archivos/contenido',
  access: allow('token', 'admin', 'client'),
  summary: 'Delete a file of a site',
  description: 'A file or a link; folders go by the operation `borrar`. `If-Match` is honoured.',
  params: v.strictObject({ domain }),
  query: v.strictObject({ ruta }),
  ifMatch: true,
  acts: true,
  whileSuspended: true,
  output: writtenShape,
  errors: [...REFUSALS, 'archivo_no_existe', 'ruta_invalida', 'version_distinta', 'prohibido'],
  async prepare(services, { params, query }, ctx) {
    ctx.audit.detail = { ruta: query.ruta }
    const { files, at } = await siteFiles(services, ctx, { domain: params.domain, path: query.ruta })
    await files.remove(at, conditionsOf(ctx.request.headers))
  },
  run: async (_ctx, { query }) => ok({ ruta: query.ruta }),
})
