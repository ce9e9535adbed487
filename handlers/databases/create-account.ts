import * as v from 'valibot'
import { requireChangeable } from '../../lib/clients/decide.ts'
import { queueNewAccount } from '../../lib/databases/commands.ts'
import { decideAccount, requireDatabase } from '../../lib/databases/decide.ts'
import { accountFacts, databaseNamed } from '../../lib/databases/facts.ts'
import { nativeHash } from '../../lib/databases/password.ts'
import { accountField, databaseField, newAccountShape } from '../../lib/databases/shapes.ts'
import { told } from '../../lib/endpoint/fields.ts'
import { created, handler, person } from '../../lib/endpoint/handler.ts'
import { randomPassword } from '../../lib/secrets/password.ts'

export default handler({
  method: 'POST',
  path: '/bases/:base/cuentas',
  access: person('admin', 'client'),
  summary: 'Make an account with a password for a database',
  description:
    'For tools of one’s own; the client’s programs need none. The password is in this answer and nowhere else.',
  params: v.strictObject({ base: databaseField }),
  body: v.strictObject({
    usuario: accountField,
    solo_lectura: v.optional(told(v.boolean(), 'Whether it only reads.', false)),
  }),
  output: newAccountShape,
  statuses: [201],
  secret: true,
  errors: [
    'base_no_existe',
    'cliente_en_otro_nodo',
    'cliente_eliminandose',
    'ya_existe',
    'demasiadas_cuentas',
  ],
  async run(ctx, { params, body }) {
    const [found, facts] = await Promise.all([
      databaseNamed(ctx.tx, ctx.actor, params.base),
      accountFacts(ctx.tx, params.base, body.usuario),
    ])
    const { database, client } = requireDatabase(found)
    requireChangeable(client, ctx.config.node)
    decideAccount(facts)
    const password = randomPassword(ctx.random)
    const hash = nativeHash(password.reveal())
    const account = { name: facts.name, hash, readOnly: body.solo_lectura ?? false }
    Object.assign(ctx.audit, { client: client.name, target: facts.name })
    ctx.tx.later(...queueNewAccount(ctx, { client, database }, account))
    return created(
      { usuario: facts.name, contrasena: password.reveal() },
      `/bases/${database.name}/cuentas/${facts.name}`,
    )
  },
  // Answers only once the account works.
  settled: async (_ctx, _input, answer) => answer,
})
