import * as v from 'valibot'
import { decideUpdate, isUpdatable, placeOf } from '../../lib/applications/decide.ts'
import { applicationFacts, updateFacts } from '../../lib/applications/facts.ts'
import { REFUSALS } from '../../lib/applications/shapes.ts'
import { queueUpdate } from '../../lib/applications/update.ts'
import { domain } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler } from '../../lib/endpoint/handler.ts'
import { workShape } from '../../lib/work/shapes.ts'

export default handler({
  method: 'POST',
  path: '/sitios/:domain/aplicacion/actualizar',
  access: allow('token', 'admin', 'client'),
  summary: 'Update the application of a site',
  description:
    "The newest version that the node has a package of takes the place of the one that is there; themes, plug-ins and uploads stay. The replaced files and a copy of the application's tables are kept until it answers: where it does not, all of it is put back as it was and the work ends with `aplicacion_no_responde`. Visitors are answered 503 meanwhile.",
  params: v.strictObject({ domain }),
  output: workShape,
  statuses: [202],
  errors: [...REFUSALS, 'aplicacion_al_dia', 'aplicacion_no_responde'],
  async prepare({ driver, config }, { params }, ctx) {
    // Elsewhere nothing is seen; the work looks again before it changes anything.
    const found = driver ? await applicationFacts(ctx, params.domain) : undefined
    if (!driver?.applications || !isUpdatable(found, config.node)) return null
    const newest = driver.applications.newest(found.application.kind)
    return { newest, version: (await driver.applications.look(placeOf(found))).version }
  },
  async run(ctx, { params }, seen) {
    const known = decideUpdate(await updateFacts(ctx, params.domain), ctx.config.node, seen)
    ctx.audit.outcome = 'pedido'
    const { queries, work } = queueUpdate(ctx, known)
    ctx.tx.later(...queries)
    return accepted(work)
  },
})
