import * as v from 'valibot'
import { attachment, bytesShape } from '../../lib/endpoint/body.ts'
import { domain } from '../../lib/endpoint/fields.ts'
import { type Answer, allow, handler } from '../../lib/endpoint/handler.ts'
import type { OpenFile } from '../../lib/endpoint/ports/files.ts'
import { decideRange, isUnchanged } from '../../lib/files/decide.ts'
import { siteFiles } from '../../lib/files/facts.ts'
import { baseName } from '../../lib/files/paths.ts'
import { REFUSALS, ruta } from '../../lib/files/shapes.ts'

export default handler({
  method: 'GET',
  path: '/sitios/:domain/archivos/contenido',
  access: allow('token', 'admin', 'client'),
  summary: 'Read a file of a site',
  description:
    'Its bytes, or one range of them (`Range`, `If-Range`), always as `application/octet-stream`; HEAD tells length and `ETag` alone. The `ETag` goes into `If-Match` of a change; it is a weak one for a file of more than 1 MiB that was changed in the last seconds.',
  params: v.strictObject({ domain }),
  query: v.strictObject({ ruta }),
  produces: 'application/octet-stream',
  etag: true,
  whileSuspended: true,
  output: bytesShape,
  statuses: [200, 206, 304],
  errors: [...REFUSALS, 'archivo_no_existe', 'ruta_invalida', 'rango_invalido'],
  async run(ctx, { params, query }) {
    const { files, at } = await siteFiles(ctx, ctx, { domain: params.domain, path: query.ruta })
    const file = await files.open(at)
    try {
      return answerOf(file, ctx.request.headers, baseName(query.ruta))
    } catch (error) {
      await file.close()
      throw error
    }
  },
})

async function answerOf(
  file: OpenFile,
  headers: Headers,
  name: string,
): Promise<Answer<ReadableStream<Uint8Array>>> {
  const { bytes, etag } = file
  if (isUnchanged(etag, headers.get('if-none-match'))) {
    await file.close()
    return { status: 304, body: new Blob([]).stream(), headers: { etag } }
  }
  const asked = { range: headers.get('range'), ifRange: headers.get('if-range') }
  const range = decideRange(asked, file)
  const { from, to } = range ?? { from: 0, to: bytes }
  return {
    status: range ? 206 : 200,
    body: file.content(from, to),
    headers: {
      etag,
      'accept-ranges': 'bytes',
      'content-length': String(to - from),
      'last-modified': file.modified.toUTCString(),
      'content-disposition': attachment(name),
      ...(range ? { 'content-range': `bytes ${from}-${to - 1}/${bytes}` } : {}),
    },
  }
}
