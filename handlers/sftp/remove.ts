import * as v from 'valibot'
import { cliente, named, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { queueRemoval } from '../../lib/sftp/commands.ts'
import { accountToChange } from '../../lib/sftp/facts.ts'
import { cuenta } from '../../lib/sftp/shapes.ts'

export default handler({
  method: 'DELETE',
  path: '/clientes/:cliente/cuentas-sftp/:cuenta',
  access: allow('token', 'admin', 'client'),
  summary: 'Delete an SFTP account',
  description: 'Its sessions end; the files stay.',
  params: v.strictObject({ cliente, cuenta }),
  output: named(
    'CuentaSftpEliminada',
    'A deletion.',
    v.strictObject({
      cuenta: told(v.string(), 'The account.', 'acme_tienda'),
      eliminado: told(v.literal(true), 'Nobody can sign in with it any more.', true),
    }),
  ),
  errors: ['cliente_no_existe', 'cuenta_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose'],
  async run(ctx, { params }) {
    const found = await accountToChange(ctx, { client: params.cliente, account: params.cuenta })
    ctx.tx.later(...queueRemoval(ctx, found))
    return ok({ cuenta: found.account.name, eliminado: true as const })
  },
  settled: async (_ctx, _input, answer) => answer,
})
