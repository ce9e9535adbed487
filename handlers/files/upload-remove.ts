import * as v from 'valibot'
import { bytesShape } from '../../lib/endpoint/body.ts'
import { domain } from '../../lib/endpoint/fields.ts'
import { allow, handler } from '../../lib/endpoint/handler.ts'
import { siteFiles } from '../../lib/files/facts.ts'
import { REFUSALS, uploadId } from '../../lib/files/shapes.ts'
import { TUS_HEADERS } from '../../lib/files/tus.ts'

export default handler({
  method: 'DELETE',
  path: '/sitios/:domain/subidas/:id',
  access: allow('token', 'admin', 'client'),
  summary: 'Give up an upload',
  params: v.strictObject({ domain, id: uploadId }),
  produces: 'application/octet-stream',
  acts: true,
  routine: true,
  whileSuspended: true,
  output: bytesShape,
  statuses: [204],
  errors: [...REFUSALS, 'subida_no_existe'],
  async prepare(services, { params }, ctx) {
    const { files, at } = await siteFiles(services, ctx, { domain: params.domain, path: '/' })
    await files.dropUpload(at, params.id)
  },
  run: async () => ({ status: 204, body: new Blob([]).stream(), headers: TUS_HEADERS }),
})
