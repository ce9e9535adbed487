import * as v from 'valibot'
import { requireClient, requireOwnNode } from '../../lib/clients/decide.ts'
import { cliente } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { confirmMove } from '../../lib/moves/commands.ts'
import { requireSwitched } from '../../lib/moves/decide.ts'
import { undoFacts } from '../../lib/moves/facts.ts'
import { moveShape } from '../../lib/moves/shapes.ts'
import { moveView } from '../../lib/moves/view.ts'

export default handler({
  method: 'POST',
  path: '/clientes/:cliente/mudar/confirmar',
  access: allow('token', 'admin'),
  summary: 'Confirm the move of a client',
  description:
    'What its old node kept goes to the bin there, and that node does not answer for its zones any more: by then their registrars have to know the other name servers. A move that nobody takes back is confirmed by itself after a week, if its new node serves the client by then; `espera` tells why it was not.',
  params: v.strictObject({ cliente }),
  output: moveShape,
  errors: ['cliente_no_existe', 'cliente_en_otro_nodo', 'mudanza_no_existe', 'ya_en_curso'],
  async run(ctx, { params }) {
    const { found, belongings } = await undoFacts(ctx, params.cliente)
    const { client, move } = requireClient(found)
    requireOwnNode(client, ctx.config.node)
    const known = requireSwitched(move)
    confirmMove(ctx.tx, ctx, { client, move: known, belongings })
    Object.assign(ctx.audit, { target: known.target, detail: { de: known.source } })
    ctx.work.wake()
    return ok(moveView(client, known))
  },
})
