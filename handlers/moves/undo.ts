import * as v from 'valibot'
import { requireClient, requireOwnNode } from '../../lib/clients/decide.ts'
import { cliente } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler } from '../../lib/endpoint/handler.ts'
import { queueGivingUp } from '../../lib/moves/commands.ts'
import { decideUndo, type Move } from '../../lib/moves/decide.ts'
import { selectNodes, undoFacts } from '../../lib/moves/facts.ts'
import { queueReturn } from '../../lib/moves/return.ts'
import { moveShape } from '../../lib/moves/shapes.ts'
import { moveView } from '../../lib/moves/view.ts'

export default handler({
  method: 'DELETE',
  path: '/clientes/:cliente/mudar',
  access: allow('token', 'admin'),
  whenFull: true,
  summary: 'Take the move of a client back',
  description:
    'Before the switch it ends, and the client stays where it is. After it, the client goes back to what its old node kept, as it was at the switch: what was changed since is in the bin of the other node. To take the changes along, move it again instead.',
  params: v.strictObject({ cliente }),
  output: moveShape,
  statuses: [202],
  errors: ['cliente_no_existe', 'cliente_en_otro_nodo', 'mudanza_no_existe', 'nodo_ausente', 'ya_en_curso'],
  async run(ctx, { params }) {
    const [{ found }, nodes] = await Promise.all([undoFacts(ctx, params.cliente), selectNodes(ctx.tx)])
    const { client, move } = requireClient(found)
    requireOwnNode(client, ctx.config.node)
    const how = decideUndo(move, nodes, ctx.now())
    const moving = { client, move: move as Move } // Else there would be nothing to undo.
    Object.assign(ctx.audit, { target: moving.move.target, detail: { fase: moving.move.phase } })
    if (how === 'return') ctx.tx.later(...queueReturn(ctx, moving))
    else await queueGivingUp(ctx, moving)
    ctx.work.wake()
    return accepted(moveView(client, moving.move))
  },
})
