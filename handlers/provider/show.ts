import * as v from 'valibot'
import { AppError } from '../../lib/endpoint/errors.ts'
import { nodo } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { accountReading, accountShape, accountView } from '../../lib/mirror/account.ts'
import { concernedNode, nodeReading } from '../../lib/mirror/node.ts'
import { both, readNow } from '../../lib/store/reading.ts'

export default handler({
  method: 'GET',
  path: '/dns/proveedor',
  access: allow('token', 'admin'),
  summary: 'Show the DNS provider account of a node',
  description: 'Never the credential, nor anything derived from it.',
  query: v.strictObject({ nodo: v.optional(nodo) }),
  output: accountShape,
  errors: ['nodo_no_existe', 'proveedor_no_existe'],
  async run(ctx, { query }) {
    const node = nodeReading(ctx, ctx.tx, query.nodo, ctx.request.language)
    const [, account] = await readNow(
      ctx.tx,
      both(node, accountReading(ctx.tx, concernedNode(ctx, query.nodo))),
    )
    if (!account) throw new AppError('proveedor_no_existe')
    return ok(accountView(account, ctx.now(), ctx.request.language))
  },
})
