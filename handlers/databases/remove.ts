import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { queueRemovalCopied } from '../../lib/backups/before/queue.ts'
import { ownerOfBase, removalFacts } from '../../lib/backups/facts.ts'
import { copiaPrevia } from '../../lib/backups/shapes.ts'
import { toldCopy } from '../../lib/backups/view.ts'
import { requireChangeable } from '../../lib/clients/decide.ts'
import { databaseRemoval, queueDatabaseLeaving } from '../../lib/databases/commands.ts'
import { databaseNamed } from '../../lib/databases/facts.ts'
import { databaseField } from '../../lib/databases/shapes.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { told } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { removalShape } from '../../lib/endpoint/shapes.ts'
import { databases } from '../../schema/tables.ts'

export default handler({
  method: 'DELETE',
  path: '/bases/:base',
  access: allow('token', 'admin', 'client'),
  summary: 'Delete a database',
  description:
    'It is dumped into the bin first, and copied where copies of this node go anywhere: that keeps it for ten minutes at the most, and for a customer happens twenty times within 24 hours; then the bin alone keeps it (`copia_previa`). 200 once it is gone, 202 where that takes longer than five seconds.',
  params: v.strictObject({ base: databaseField }),
  output: removalShape('BaseEliminada', {
    base: told(v.string(), 'The database.', 'acme_tienda'),
    copia_previa: copiaPrevia,
  }),
  statuses: [200, 202],
  errors: ['base_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose'],
  async run(ctx, { params }) {
    const [found, facts] = await Promise.all([
      databaseNamed(ctx.tx, ctx.actor, params.base),
      removalFacts(ctx, ownerOfBase(ctx.tx, params.base)),
    ])
    if (!found) throw new AppError('base_no_existe')
    const { database, client } = found
    Object.assign(ctx.audit, { client: client.name, target: database.name })
    requireChangeable(client, ctx.config.node)
    const { name } = database
    const removal = {
      wanted: { kind: 'base' as const, name },
      job: databaseRemoval(client, database),
      isLeaving: database.state === 'eliminando',
    }
    const isCopyable = database.state !== 'preparando'
    const { queries, copied } = queueRemovalCopied(ctx, isCopyable ? facts : undefined, removal)
    if (copied === 'limite') ctx.audit.detail = { copia_previa: copied }
    ctx.tx.later(queueDatabaseLeaving(ctx, database), ...queries)
    return accepted({ base: database.name, ...toldCopy(copied), estado: 'eliminando' as const })
  },
  async settled({ tx }, { params }, answer) {
    const row = await tx
      .select({ id: databases.id })
      .from(databases)
      .where(eq(databases.name, params.base))
      .get()
    if (row) return answer
    const { copia_previa = null } = answer.body
    return ok({ base: params.base, ...toldCopy(copia_previa), eliminado: true as const })
  },
})
