import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { destinationReading } from '../../lib/backups/destination/destination.ts'
import { showCopies } from '../../lib/backups/destination/fault.ts'
import { moveCopies } from '../../lib/backups/destination/place.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { named, nodo, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { concernedNode, nodeReading } from '../../lib/mirror/node.ts'
import { both, readNow } from '../../lib/store/reading.ts'
import { backupDestinations } from '../../schema/tables.ts'

export default handler({
  method: 'DELETE',
  path: '/copias/destino',
  access: allow('token', 'admin'),
  summary: 'Make no copies of a node any more',
  description: 'What lies there stays there.',
  query: v.strictObject({ nodo: v.optional(nodo) }),
  output: named(
    'DestinoCopiasEliminado',
    'No copies are made any more.',
    v.strictObject({ eliminado: told(v.literal(true), 'It is gone.', true) }),
  ),
  errors: ['nodo_no_existe', 'destino_no_existe'],
  async run(ctx, { query }) {
    const asked = destinationReading(ctx.tx, concernedNode(ctx, query.nodo))
    const [node, row] = await readNow(
      ctx.tx,
      both(nodeReading(ctx, ctx.tx, query.nodo, ctx.request.language), asked),
    )
    if (!row) throw new AppError('destino_no_existe')
    Object.assign(ctx.audit, { target: row.kind, detail: { nodo: node } })
    moveCopies(ctx.tx, row, null)
    await ctx.tx.delete(backupDestinations).where(eq(backupDestinations.node, node))
    await showCopies(ctx.tx, ctx, node)
    return ok({ eliminado: true as const })
  },
})
