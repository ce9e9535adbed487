import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { AppError } from '../../lib/endpoint/errors.ts'
import { nodo } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { nodeView, selectNodes } from '../../lib/nodes/nodes.ts'
import { nodeShape } from '../../lib/nodes/shapes.ts'
import { nodes } from '../../schema/tables.ts'

export default handler({
  method: 'GET',
  path: '/nodos/:nodo',
  access: allow('token', 'admin'),
  summary: "Show a node: its services' state, addresses and capacity",
  params: v.strictObject({ nodo }),
  output: nodeShape,
  errors: ['nodo_no_existe'],
  async run({ tx, now, request }, { params }) {
    const row = await selectNodes(tx).where(eq(nodes.name, params.nodo)).get()
    if (!row) throw new AppError('nodo_no_existe')
    return ok(nodeView(row, now(), request.language))
  },
})
