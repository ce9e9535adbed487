import * as v from 'valibot'
import { cliente, pageQuery } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { accountsShape } from '../../lib/sftp/shapes.ts'
import { accountsReading } from '../../lib/sftp/view.ts'
import { readNow } from '../../lib/store/reading.ts'

export default handler({
  method: 'GET',
  path: '/clientes/:cliente/cuentas-sftp',
  access: allow('token', 'admin', 'client'),
  summary: "List a client's SFTP accounts",
  description: '`servidor` is where they sign in, with the fingerprints that clients show at the first time.',
  params: v.strictObject({ cliente }),
  query: v.strictObject(pageQuery),
  output: accountsShape,
  errors: ['cliente_no_existe'],
  run: async (ctx, { params, query }) =>
    ok(await readNow(ctx.tx, accountsReading(ctx, params.cliente, query))),
})
