import * as v from 'valibot'
import { domain } from '../../lib/endpoint/fields.ts'
import { allow, created, handler } from '../../lib/endpoint/handler.ts'
import { siteFiles } from '../../lib/files/facts.ts'
import { REFUSALS, uploadShape } from '../../lib/files/shapes.ts'
import { bytesIn, metadataOf, requireTus, TUS_HEADERS } from '../../lib/files/tus.ts'

export default handler({
  method: 'POST',
  path: '/sitios/:domain/subidas',
  access: allow('token', 'admin', 'client'),
  summary: 'Begin an upload in parts',
  description:
    'tus 1.0 (tus.io): `Tus-Resumable: 1.0.0`, `Upload-Length`, and in `Upload-Metadata` the `ruta` that the file is to have; with `sustituir` of `si` it takes the place of one that is there, else that is 409 `ya_existe`. Parts go by PATCH to `Location`, HEAD tells how far it is. The file appears in one step when all of it has come; a part that nothing is added to for a day is removed.',
  params: v.strictObject({ domain }),
  acts: true,
  whileSuspended: true,
  output: uploadShape,
  statuses: [201],
  errors: [
    ...REFUSALS,
    'archivo_no_existe:409',
    'ya_existe',
    'ruta_invalida',
    'version_distinta',
    'datos_invalidos',
    'prohibido',
  ],
  async prepare(services, { params }, ctx) {
    const { headers } = ctx.request
    requireTus(headers)
    const length = bytesIn(ctx.request, 'Upload-Length')
    const { path, replaces } = metadataOf(headers)
    ctx.audit.detail = { ruta: path, bytes: length }
    const asked = { domain: params.domain, path, grows: true }
    const { files, at, room, growing } = await siteFiles(services, ctx, asked)
    const { id } = await growing(files.beginUpload(at, { length, replaces, room }))
    return { id, path, length }
  },
  async run(_ctx, { params }, { id, path, length }) {
    const answer = created({ id, ruta: path, bytes: length }, `/sitios/${params.domain}/subidas/${id}`)
    return { ...answer, headers: { ...answer.headers, ...TUS_HEADERS } }
  },
})
