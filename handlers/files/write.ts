import * as v from 'valibot'
import { bytesShape } from '../../lib/endpoint/body.ts'
import { domain } from '../../lib/endpoint/fields.ts'
import { allow, handler } from '../../lib/endpoint/handler.ts'
import { siteFiles } from '../../lib/files/facts.ts'
import { conditionsOf, REFUSALS, ruta, writtenShape } from '../../lib/files/shapes.ts'

export default handler({
  method: 'PUT',
  path: '/sitios/:domain/archivos/contenido',
  access: allow('token', 'admin', 'client'),
  summary: 'Write a file of a site',
  description:
    'The body is the whole of its content, of any length and type. The file has it in one step when all of it has come, or stays as it was. `If-Match` and `If-None-Match: *` are honoured. Its folder must be there; what a link leads to is written, as long as that is in the site.',
  params: v.strictObject({ domain }),
  query: v.strictObject({ ruta }),
  consumes: '*/*',
  body: bytesShape,
  etag: true,
  ifMatch: true,
  acts: true,
  whileSuspended: true,
  output: writtenShape,
  statuses: [200, 201],
  errors: [...REFUSALS, 'archivo_no_existe:409', 'ruta_invalida', 'version_distinta'],
  async prepare(services, { params, query, body }, ctx) {
    ctx.audit.detail = { ruta: query.ruta }
    const asked = { domain: params.domain, path: query.ruta, grows: true }
    const { files, at, room, growing } = await siteFiles(services, ctx, asked)
    const { headers } = ctx.request
    const length = headers.has('content-length') ? Number(headers.get('content-length')) : null
    return growing(files.write(at, { content: body, length, room, ...conditionsOf(headers) }))
  },
  async run(_ctx, { params, query }, { created, etag }) {
    const address = `/api/sitios/${params.domain}/archivos/contenido?ruta=${encodeURIComponent(query.ruta)}`
    const headers = { etag, ...(created ? { location: address } : {}) }
    return { status: created ? 201 : 200, body: { ruta: query.ruta }, headers }
  },
})
