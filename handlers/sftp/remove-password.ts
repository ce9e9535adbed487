import * as v from 'valibot'
import { cliente } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { queueCredentials } from '../../lib/sftp/commands.ts'
import { accountToChange } from '../../lib/sftp/facts.ts'
import { accountShape, cuenta } from '../../lib/sftp/shapes.ts'
import { accountReading } from '../../lib/sftp/view.ts'
import { readNow } from '../../lib/store/reading.ts'

export default handler({
  method: 'DELETE',
  path: '/clientes/:cliente/cuentas-sftp/:cuenta/contrasena',
  access: allow('token', 'admin', 'client'),
  summary: "Take away an SFTP account's password",
  description: 'Its keys stay; sessions of the account end.',
  params: v.strictObject({ cliente, cuenta }),
  output: accountShape,
  errors: ['cliente_no_existe', 'cuenta_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose'],
  async run(ctx, { params }) {
    const found = await accountToChange(ctx, { client: params.cliente, account: params.cuenta })
    const none = { passwordHash: null, passwordCreatedAt: null, passwordUsedAt: null }
    ctx.tx.later(...queueCredentials(ctx, found, none))
    return ok(accountReading(ctx, params.cuenta))
  },
  settled: async (ctx, { params }) => ok(await readNow(ctx.tx, accountReading(ctx, params.cuenta))),
})
