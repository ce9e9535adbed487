import * as v from 'valibot'
import { bytesShape, requireMediaType } from '../../lib/endpoint/body.ts'
import { domain } from '../../lib/endpoint/fields.ts'
import { allow, handler } from '../../lib/endpoint/handler.ts'
import { siteFiles } from '../../lib/files/facts.ts'
import { REFUSALS, uploadId } from '../../lib/files/shapes.ts'
import { bytesIn, requireTus, TUS_HEADERS } from '../../lib/files/tus.ts'

export default handler({
  method: 'PATCH',
  path: '/sitios/:domain/subidas/:id',
  access: allow('token', 'admin', 'client'),
  summary: 'Add to an upload',
  description:
    'tus 1.0: `Upload-Offset` and `Content-Type: application/offset+octet-stream`. What has come before a connection breaks stays; what is answered is on the disk.',
  params: v.strictObject({ domain, id: uploadId }),
  consumes: '*/*',
  produces: 'application/octet-stream',
  body: bytesShape,
  routine: true,
  acts: true,
  whileSuspended: true,
  output: bytesShape,
  statuses: [204],
  errors: [
    ...REFUSALS,
    'subida_no_existe',
    'desplazamiento_distinto',
    'archivo_no_existe:409',
    'ya_existe',
    'ruta_invalida',
    'version_distinta',
    'datos_invalidos',
    'prohibido',
  ],
  async prepare(services, { params, body }, ctx) {
    const { headers } = ctx.request
    requireTus(headers)
    requireMediaType(headers.get('content-type'), 'application/offset+octet-stream')
    const offset = bytesIn(ctx.request, 'Upload-Offset')
    const { files, at, growing } = await siteFiles(services, ctx, { domain: params.domain, path: '/' })
    return growing(files.append(at, { id: params.id, offset, content: body }))
  },
  async run(_ctx, _input, { offset }) {
    const headers = { ...TUS_HEADERS, 'upload-offset': String(offset) }
    return { status: 204, body: new Blob([]).stream(), headers }
  },
})
