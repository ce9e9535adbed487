import * as v from 'valibot'
import { cliente, named, told } from '../../lib/endpoint/fields.ts'
import { created, handler, person } from '../../lib/endpoint/handler.ts'
import { randomPassword } from '../../lib/secrets/password.ts'
import { queueCredentials } from '../../lib/sftp/commands.ts'
import { accountToChange } from '../../lib/sftp/facts.ts'
import { cuenta } from '../../lib/sftp/shapes.ts'

export default handler({
  method: 'POST',
  path: '/clientes/:cliente/cuentas-sftp/:cuenta/contrasena',
  access: person('admin', 'client'),
  summary: 'Have a password made for an SFTP account',
  description:
    'It is in this answer and nowhere else. One that there was ends with its sessions; nobody chooses a password.',
  params: v.strictObject({ cliente, cuenta }),
  output: named(
    'ContrasenaSftp',
    'A password, this once.',
    v.strictObject({ contrasena: told(v.string(), 'The password.', 'k3PzW9aLtR6uQe2XbN7vYc4m') }),
  ),
  statuses: [201],
  secret: true,
  errors: ['cliente_no_existe', 'cuenta_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose'],
  async prepare({ random, passwords }) {
    const password = randomPassword(random)
    return { password, hash: await passwords.crypt(password.reveal()) }
  },
  async run(ctx, { params }, { password, hash }) {
    const found = await accountToChange(ctx, { client: params.cliente, account: params.cuenta })
    const now = ctx.now()
    ctx.tx.later(
      ...queueCredentials(ctx, found, {
        passwordHash: hash,
        passwordCreatedAt: now,
        passwordUsedAt: null,
      }),
    )
    const { client, account } = found
    return created({ contrasena: password.reveal() }, `/clientes/${client.name}/cuentas-sftp/${account.name}`)
  },
  settled: async (_ctx, _input, answer) => answer,
})
