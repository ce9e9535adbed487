import * as v from 'valibot'
import { decideTakingBack } from '../../lib/applications/decide-copies.ts'
import { updateFacts } from '../../lib/applications/facts.ts'
import { queueTakingBack } from '../../lib/applications/publish.ts'
import { REFUSALS } from '../../lib/applications/shapes.ts'
import { domain } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler } from '../../lib/endpoint/handler.ts'
import { workShape } from '../../lib/work/shapes.ts'

export default handler({
  method: 'POST',
  path: '/sitios/:domain/aplicacion/deshacer',
  access: allow('token', 'admin', 'client'),
  summary: 'Take back what a clone published',
  description:
    'Puts back the files and tables that the last publication into this site replaced, as they were then. Once.',
  params: v.strictObject({ domain }),
  output: workShape,
  statuses: [202],
  errors: [...REFUSALS, 'nada_que_deshacer'],
  async run(ctx, { params }) {
    const known = decideTakingBack(await updateFacts(ctx, params.domain), ctx.config.node)
    ctx.audit.outcome = 'pedido'
    const { queries, work } = queueTakingBack(ctx, known)
    ctx.tx.later(...queries)
    return accepted(work)
  },
})
