import * as v from 'valibot'
import { domain } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { siteFiles } from '../../lib/files/facts.ts'
import { REFUSALS, uploadId, uploadShape } from '../../lib/files/shapes.ts'
import { TUS_HEADERS } from '../../lib/files/tus.ts'

export default handler({
  method: 'GET',
  path: '/sitios/:domain/subidas/:id',
  access: allow('token', 'admin', 'client'),
  summary: 'How far an upload is',
  description: 'HEAD, as tus asks: `Upload-Offset` and `Upload-Length`.',
  params: v.strictObject({ domain, id: uploadId }),
  whileSuspended: true,
  output: uploadShape,
  errors: [...REFUSALS, 'subida_no_existe'],
  async run(ctx, { params }) {
    const { files, at } = await siteFiles(ctx, ctx, { domain: params.domain, path: '/' })
    const { path, offset, length, expires } = await files.upload(at, params.id)
    return ok(
      { id: params.id, ruta: path, bytes: length },
      {
        ...TUS_HEADERS,
        'upload-offset': String(offset),
        'upload-length': String(length),
        'upload-expires': expires.toUTCString(),
      },
    )
  },
})
