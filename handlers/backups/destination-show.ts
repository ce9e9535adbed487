import * as v from 'valibot'
import { destinationReading } from '../../lib/backups/destination/destination.ts'
import { destinationShape } from '../../lib/backups/shapes.ts'
import { destinationView } from '../../lib/backups/view.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { nodo } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { concernedNode, nodeReading } from '../../lib/mirror/node.ts'
import { both, readNow } from '../../lib/store/reading.ts'

export default handler({
  method: 'GET',
  path: '/copias/destino',
  access: allow('token', 'admin'),
  summary: 'Show where the copies of a node go',
  description: 'Never its secrets, nor anything derived from them.',
  query: v.strictObject({ nodo: v.optional(nodo) }),
  output: destinationShape,
  errors: ['nodo_no_existe', 'destino_no_existe'],
  async run(ctx, { query }) {
    const node = nodeReading(ctx, ctx.tx, query.nodo, ctx.request.language)
    const asked = destinationReading(ctx.tx, concernedNode(ctx, query.nodo))
    const [, row] = await readNow(ctx.tx, both(node, asked))
    if (!row) throw new AppError('destino_no_existe')
    return ok(destinationView(row))
  },
})
