import * as v from 'valibot'
import { clientReading, clientToChange } from '../../lib/clients.ts'
import { askForEmail, changeEmail } from '../../lib/email-change.ts'
import { AppError } from '../../lib/errors.ts'
import { cliente, contrasena, correo } from '../../lib/fields.ts'
import { accepted, handler, ok, person } from '../../lib/handler.ts'
import { linkWaitSeconds } from '../../lib/link-requests.ts'
import { askForLogin, loginOf } from '../../lib/logins.ts'
import { callerNow, reauthenticate, wrongPassword } from '../../lib/reauthenticate.ts'
import { clientShape } from '../../lib/shapes.ts'

export default handler({
  method: 'PUT',
  path: '/clientes/:cliente/correo',
  access: person('admin', 'client'),
  summary: 'Change the recovery address',
  description:
    "`contrasena` is the caller's own. An admin's change counts at once (200). A customer's counts once the link " +
    'that is mailed to the new address has been spent (202). The old and the new address are told.',
  params: v.strictObject({ cliente }),
  body: v.strictObject({ correo, contrasena }),
  output: clientShape,
  statuses: [200, 202],
  errors: ['cliente_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose', 'contrasena_incorrecta'],
  prepare: (_services, { body }, ctx) => reauthenticate(ctx, body.contrasena),
  async run(ctx, { params, body }, identity) {
    await askForLogin(
      ctx,
      params.cliente,
      () => callerNow(ctx),
      () => linkWaitSeconds(ctx.tx, identity.personId, ctx.now(), 'address'),
    )
    const client = await clientToChange(ctx, params.cliente)
    const wrong = await wrongPassword(ctx, identity)
    if (wrong) return wrong
    const login = await loginOf(ctx.tx, client)
    if (ctx.actor.kind === 'session' && ctx.actor.role === 'admin') {
      changeEmail(ctx, client, login?.id, body.correo)
      return ok(clientReading(ctx, client.name))
    }
    if (!login) throw new AppError('prohibido')
    await askForEmail(ctx, client, login, body.correo)
    return accepted(clientReading(ctx, client.name))
  },
})
