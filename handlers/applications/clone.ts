import * as v from 'valibot'
import { queueClone } from '../../lib/applications/clone.ts'
import { decideClone } from '../../lib/applications/decide-copies.ts'
import { cloneFacts } from '../../lib/applications/facts.ts'
import { REFUSALS } from '../../lib/applications/shapes.ts'
import { domain } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler } from '../../lib/endpoint/handler.ts'
import { askProof } from '../../lib/proof/claim.ts'
import { workShape } from '../../lib/work/shapes.ts'

export default handler({
  method: 'POST',
  path: '/sitios/:domain/clonar',
  access: allow('token', 'admin', 'client'),
  summary: 'Clone the application of a site',
  description:
    "Into a new site of the same client, made here without aliases, or into one that is still empty; its files and tables are copied, with a database of their own, and its own addresses take the place of the site's, also in serialised data. The clone sends no mail by WordPress's own function, runs nothing by the clock, and tells search engines to leave it alone. `domain` follows the rules of `POST /sitios`. What fails leaves nothing but the empty site.",
  params: v.strictObject({ domain }),
  body: v.strictObject({ domain }),
  output: workShape,
  statuses: [202],
  errors: [
    ...REFUSALS,
    'aplicacion_no_lo_admite',
    'no_es_clon',
    'sitio_no_vacio',
    'dominio_ocupado',
    'dominio_sin_probar',
    'limite_del_plan',
    'nodo_ausente',
    'bases_no_disponible',
    'ya_existe',
  ],
  prepare: (services, { body }, ctx) => askProof(services, ctx, { names: [body.domain] }),
  async run(ctx, { params, body }, proof) {
    const facts = await cloneFacts(ctx, params.domain, body)
    ctx.audit.detail = { clon: body.domain }
    const wanted = { domain: body.domain, proof, language: ctx.request.language }
    const decided = decideClone(facts, ctx.config.node, wanted)
    ctx.audit.outcome = 'pedido'
    const { queries, work } = queueClone(ctx, decided, body.domain)
    ctx.tx.later(...queries)
    return accepted(work)
  },
})
