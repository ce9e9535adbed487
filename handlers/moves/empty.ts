import * as v from 'valibot'
import { nodo, pageQuery, si } from '../../lib/endpoint/fields.ts'
import { accepted, allow, DryRun, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf } from '../../lib/endpoint/page.ts'
import { decideEmptying } from '../../lib/moves/decide.ts'
import { emptyJob, namesOn } from '../../lib/moves/empty.ts'
import { selectNodes } from '../../lib/moves/facts.ts'
import { emptyShape } from '../../lib/moves/shapes.ts'
import { emptyingView } from '../../lib/moves/view.ts'
import { queueJob } from '../../lib/work/jobs.ts'
import { workReading } from '../../lib/work/view.ts'

const nameOf = ({ name }: { name: string }) => name

export default handler({
  method: 'POST',
  path: '/nodos/:nodo/vaciar',
  access: allow('token', 'admin'),
  summary: 'Move all clients of a node to another one',
  description:
    'One after another, each as `POST /clientes/<cliente>/mudar` does; each is confirmed by itself. A client that cannot be moved stays and does not end the rest: `resultado.quedan` tells which, and why. `simular=si` changes nothing and lists the clients, a page at a time.',
  params: v.strictObject({ nodo }),
  query: v.strictObject({ simular: v.optional(si), ...pageQuery }),
  body: v.strictObject({ nodo }),
  output: emptyShape,
  statuses: [200, 202],
  errors: ['nodo_no_existe', 'nodo_no_existe:409', 'nodo_ausente'],
  async run(ctx, { params, query, body }) {
    const asked = { node: params.nodo, target: body.nodo }
    const { desde: after, limite } = query
    const [nodes, { rows, total }] = await Promise.all([
      selectNodes(ctx.tx),
      namesOn(ctx.tx, { node: params.nodo, after, limit: limite + 1 }),
    ])
    decideEmptying(nodes, asked, ctx.now())
    if (query.simular === 'si')
      throw new DryRun(ok(emptyingView(asked, { ...pageOf(rows, limite, nameOf, nameOf), total })))
    Object.assign(ctx.audit, { target: params.nodo, outcome: 'pedido', detail: { a: body.nodo } })
    const job = emptyJob(params.nodo, body.nodo)
    ctx.tx.later(queueJob(ctx, job))
    ctx.work.wake()
    return accepted(workReading(ctx.tx, job))
  },
})
