import * as v from 'valibot'
import { attachment, bytesShape } from '../../lib/endpoint/body.ts'
import { domain } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { siteFiles } from '../../lib/files/facts.ts'
import { baseName } from '../../lib/files/paths.ts'
import { REFUSALS, ruta } from '../../lib/files/shapes.ts'

export default handler({
  method: 'GET',
  path: '/sitios/:domain/archivos/zip',
  access: allow('token', 'admin', 'client'),
  summary: 'Download a folder of a site as a ZIP',
  description:
    'It is made while it is sent, so its length is not told before; one that could not be made to its end is broken off.',
  params: v.strictObject({ domain }),
  query: v.strictObject({ ruta }),
  produces: 'application/octet-stream',
  whileSuspended: true,
  output: bytesShape,
  errors: [...REFUSALS, 'archivo_no_existe', 'ruta_invalida'],
  async run(ctx, { params, query }) {
    const { files, at } = await siteFiles(ctx, ctx, { domain: params.domain, path: query.ruta })
    const name = `${baseName(query.ruta) || params.domain}.zip`
    return ok(await files.pack(at), { 'content-disposition': attachment(name) })
  },
})
