import { and, eq } from 'drizzle-orm'
import * as v from 'valibot'
import { visibleTo } from '../../lib/clients/clients.ts'
import { cliente, nodo, si } from '../../lib/endpoint/fields.ts'
import { accepted, allow, DryRun, handler, ok } from '../../lib/endpoint/handler.ts'
import { queueStart } from '../../lib/moves/commands.ts'
import { decideMove, type MoveFacts, requireClear } from '../../lib/moves/decide.ts'
import { moveFacts } from '../../lib/moves/facts.ts'
import { startShape } from '../../lib/moves/shapes.ts'
import { previewView } from '../../lib/moves/view.ts'
import { begunView } from '../../lib/work/view.ts'
import { clients } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/clientes/:cliente/mudar',
  access: allow('token', 'admin'),
  summary: 'Move a client to another node',
  description:
    'Both nodes have to keep their copies at the same destination: the client is copied there while it is served, and restored on the other node. Then it is closed for the seconds that a second copy takes, during which changes answer 409 `en_mudanza`. From the switch on it is served by the other node, its zones have that node’s addresses, and its old node keeps what it had until the move is confirmed; see `GET …/mudar`. Logs, sessions of PHP and the bin of its files stay behind. `simular=si` changes nothing and tells what would move, what would be different there, and what is in the way. Its job ends as `mudanza_ilegible` or `mudanza_incompleta` where not all of the client can be copied: `objetos` names up to twenty of what would have stayed behind, and the client was not closed for it.',
  params: v.strictObject({ cliente }),
  query: v.strictObject({ simular: v.optional(si) }),
  body: v.strictObject({ nodo }),
  output: startShape,
  statuses: [200, 202],
  errors: [
    'cliente_no_existe',
    'cliente_eliminandose',
    'cliente_en_otro_nodo',
    'nodo_no_existe:409',
    'nodo_ausente',
    'destino_no_existe:409',
    'destino_no_comun',
    'mudanza_impedida',
    'sin_espacio',
    'mudanza_sin_confirmar',
    'ya_en_curso',
  ],
  async run(ctx, { params, query, body }) {
    const which = and(eq(clients.name, params.cliente), visibleTo(ctx.actor))
    const facts = await moveFacts(ctx.tx, which, params.cliente)
    if (facts) ctx.audit.client = facts.client.name
    const preview = decideMove(facts, { target: body.nodo, here: ctx.config.node }, ctx.now())
    const known = facts as MoveFacts // It was decided about.
    if (query.simular === 'si') throw new DryRun(ok(previewView(known, preview)))
    requireClear(preview)
    Object.assign(ctx.audit, { target: preview.target, outcome: 'pedido', detail: { de: known.client.node } })
    const { queries, job } = queueStart(ctx, known.client, preview.target)
    ctx.tx.later(...queries)
    ctx.work.wake()
    return accepted(begunView(job))
  },
})
