import * as v from 'valibot'
import { AppError } from '../../lib/endpoint/errors.ts'
import { told } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { removalShape } from '../../lib/endpoint/shapes.ts'
import { invalidField } from '../../lib/endpoint/validate.ts'
import { nameOf, ownerName, requireEntry } from '../../lib/trash/decide.ts'
import { purgeFacts, requireBin } from '../../lib/trash/facts.ts'
import { queuePurge } from '../../lib/trash/job.ts'
import { entrada } from '../../lib/trash/shapes.ts'

export default handler({
  method: 'DELETE',
  path: '/papelera/:id',
  access: allow('token', 'admin'),
  summary: 'Delete something in the bin for good',
  description:
    'Nothing brings it back. `confirmar` is the name that it had (`nombre`). 200 once it has left the bin, 202 where that takes longer than five seconds; what is large goes on being removed from the disk afterwards.',
  params: v.strictObject({ id: entrada }),
  body: v.strictObject({
    confirmar: told(v.string('obligatorio'), 'The name of what was deleted once more.', 'ejemplo.es'),
  }),
  output: removalShape('EliminadoDelTodo', { id: told(v.string(), 'The entry.', 'sitio-41') }),
  statuses: [200, 202],
  errors: ['entrada_no_existe', 'ya_en_curso', 'no_disponible'],
  prepare: async ({ driver }) => driver?.bin ?? null,
  async run(ctx, { params, body }, bin) {
    const found = requireBin(bin).find(params.id)
    const { owner, isBusy } = await purgeFacts(ctx, found)
    const entry = requireEntry(found, ctx.actor, owner)
    const client = ownerName(entry, owner)
    Object.assign(ctx.audit, { target: params.id, ...(client === null ? {} : { client }) })
    ctx.audit.detail = { nombre: nameOf(entry) }
    if (body.confirmar !== nameOf(entry))
      throw invalidField('confirmar', 'valor_no_admitido', ctx.request.language)
    if (isBusy) throw new AppError('ya_en_curso')
    ctx.tx.later(queuePurge(ctx, entry))
    return accepted({ id: params.id, estado: 'eliminando' as const })
  },
  async settled({ driver }, { params: { id } }, answer) {
    return driver?.bin?.find(id) ? answer : ok({ id, eliminado: true as const })
  },
})
