import * as v from 'valibot'
import { requireChangeable } from '../../lib/clients/decide.ts'
import { queueAccountRemoval } from '../../lib/databases/commands.ts'
import { requireDatabase } from '../../lib/databases/decide.ts'
import { accountOf, databaseNamed } from '../../lib/databases/facts.ts'
import { databaseField } from '../../lib/databases/shapes.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { named, text, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'

const gone = told(v.literal(true), 'It comes in no more, and its sessions have ended.', true)

export default handler({
  method: 'DELETE',
  path: '/bases/:base/cuentas/:usuario',
  access: allow('token', 'admin', 'client'),
  summary: 'Delete an account with a password',
  description: 'Its sessions end within a second.',
  params: v.strictObject({
    base: databaseField,
    usuario: told(text(80), 'Its whole name, as the database tells it.', 'acme_informes'),
  }),
  output: named(
    'CuentaDeBaseEliminada',
    'An account that is gone.',
    v.strictObject({ usuario: told(v.string(), 'The account.', 'acme_informes'), eliminado: gone }),
  ),
  errors: ['base_no_existe', 'cuenta_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose'],
  async run(ctx, { params }) {
    const [found, account] = await Promise.all([
      databaseNamed(ctx.tx, ctx.actor, params.base),
      accountOf(ctx.tx, params.base, params.usuario),
    ])
    const { client } = requireDatabase(found)
    if (!account) throw new AppError('cuenta_no_existe')
    Object.assign(ctx.audit, { client: client.name, target: account.name })
    requireChangeable(client, ctx.config.node)
    ctx.tx.later(...queueAccountRemoval(ctx, client, account))
    return ok({ usuario: account.name, eliminado: true as const })
  },
  settled: async (_ctx, _input, answer) => answer,
})
