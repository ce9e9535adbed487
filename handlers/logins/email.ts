import * as v from 'valibot'
import { changesOf } from '../../lib/audit/changes.ts'
import { changeableWithLogin } from '../../lib/clients/decide.ts'
import { clientShape } from '../../lib/clients/shapes.ts'
import { clientReading } from '../../lib/clients/view.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { cliente, contrasena, correo } from '../../lib/endpoint/fields.ts'
import { accepted, handler, ok, person } from '../../lib/endpoint/handler.ts'
import { requireLinkTurn } from '../../lib/identity/decide.ts'
import { enqueueEmail, enqueueEmailWish } from '../../lib/identity/email-change.ts'
import { recentLinks, timesOf } from '../../lib/identity/link-requests.ts'
import { clientWithLogin } from '../../lib/identity/logins.ts'
import { wrongPassword } from '../../lib/sign-in/decide.ts'
import { callerFacts, reauthenticate } from '../../lib/sign-in/reauthenticate.ts'

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
    const [found, caller, recent] = await Promise.all([
      clientWithLogin(ctx, params.cliente),
      callerFacts(ctx),
      recentLinks(ctx.tx, [identity.personId], { what: 'address', now: ctx.now() }),
    ])
    const { client, login } = changeableWithLogin(found, ctx.config.node)
    const wrong = wrongPassword(identity, caller)
    if (wrong) return wrong
    const view = clientReading(ctx, client.name)
    if (ctx.actor.kind === 'session' && ctx.actor.role === 'admin') {
      ctx.audit.changes = changesOf({ correo: client.email }, { correo: body.correo })
      enqueueEmail(ctx, { client, loginId: login?.id }, body.correo)
      return ok(view)
    }
    if (!login) throw new AppError('prohibido')
    requireLinkTurn(timesOf(recent), ctx.now())
    enqueueEmailWish(ctx, { client, login }, body.correo)
    return accepted(view)
  },
})
