import * as v from 'valibot'
import { changeableWithLogin } from '../../lib/clients/decide.ts'
import { cliente, contrasena } from '../../lib/endpoint/fields.ts'
import { handler, ok, person } from '../../lib/endpoint/handler.ts'
import { requireLogin } from '../../lib/identity/decide.ts'
import { clientWithLogin, requiredLogin } from '../../lib/identity/logins.ts'
import { loginShape } from '../../lib/identity/shapes.ts'
import { wrongPassword } from '../../lib/sign-in/decide.ts'
import { enqueueNoFactor } from '../../lib/sign-in/factors.ts'
import { callerFacts, reauthenticate } from '../../lib/sign-in/reauthenticate.ts'

export default handler({
  method: 'DELETE',
  path: '/clientes/:cliente/acceso/segundo-factor',
  access: person('admin'),
  summary: "Remove the customer's second factor",
  description: 'The customer enrols again at the next sign-in or link. Open sessions end.',
  params: v.strictObject({ cliente }),
  body: v.strictObject({ contrasena }),
  output: loginShape,
  errors: [
    'cliente_no_existe',
    'cliente_en_otro_nodo',
    'cliente_eliminandose',
    'contrasena_incorrecta',
    'sin_acceso',
  ],
  prepare: (_services, { body }, ctx) => reauthenticate(ctx, body.contrasena),
  async run(ctx, { params }, identity) {
    const [found, caller] = await Promise.all([clientWithLogin(ctx, params.cliente), callerFacts(ctx)])
    const { client, login } = changeableWithLogin(found, ctx.config.node)
    const wrong = wrongPassword(identity, caller)
    if (wrong) return wrong
    enqueueNoFactor(ctx, requireLogin(login).id)
    return ok(requiredLogin(ctx.tx, client.name, ctx.now()))
  },
})
