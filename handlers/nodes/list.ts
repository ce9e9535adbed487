import { asc, gt } from 'drizzle-orm'
import * as v from 'valibot'
import { page, pageQuery } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf } from '../../lib/endpoint/page.ts'
import { nodeView, selectNodes } from '../../lib/nodes/nodes.ts'
import { nodeShape } from '../../lib/nodes/shapes.ts'
import { nodes } from '../../schema/tables.ts'

export default handler({
  method: 'GET',
  path: '/nodos',
  access: allow('token', 'admin'),
  summary: 'List nodes',
  query: v.strictObject(pageQuery),
  output: page(nodeShape),
  async run({ tx, now, request }, { query: { desde, limite } }) {
    const rows = await selectNodes(tx)
      .where(desde === undefined ? undefined : gt(nodes.name, desde))
      .orderBy(asc(nodes.name))
      .limit(limite + 1)
    return ok(
      pageOf(
        rows,
        limite,
        ({ node }) => node.name,
        (row) => nodeView(row, now(), request.language),
      ),
    )
  },
})
