import * as v from 'valibot'
import { changeableWithLogin } from '../../lib/clients/decide.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { cliente, correo, idioma, told } from '../../lib/endpoint/fields.ts'
import { allow, created, handler } from '../../lib/endpoint/handler.ts'
import { requireLoginAllowed } from '../../lib/identity/decide-login.ts'
import { clientWithLogin, enqueueLogin, requiredLogin } from '../../lib/identity/logins.ts'
import { loginShape } from '../../lib/identity/shapes.ts'

export default handler({
  method: 'POST',
  path: '/clientes/:cliente/acceso',
  access: allow('token', 'admin'),
  summary: "Create the client's login and mail its activation link",
  params: v.strictObject({ cliente }),
  body: v.strictObject({
    correo,
    rol: v.optional(
      told(v.string(), 'Only `client` is taken: the other roles are not for tokens to give.', 'client'),
    ),
    idioma: v.optional(idioma),
  }),
  output: loginShape,
  statuses: [201],
  errors: [
    'cliente_no_existe',
    'cliente_en_otro_nodo',
    'cliente_eliminandose',
    'rol_no_permitido',
    'solo_cuentas_de_token',
    'acceso_ya_existe',
    'correo_distinto',
  ],
  async run(ctx, { params, body }) {
    if (body.rol !== undefined && body.rol !== 'client') throw new AppError('rol_no_permitido')
    const { client, login } = changeableWithLogin(await clientWithLogin(ctx, params.cliente), ctx.config.node)
    const byToken = ctx.actor.kind === 'token'
    requireLoginAllowed(client, { byToken, exists: login !== null, email: body.correo })
    enqueueLogin(ctx, client, { email: body.correo, language: body.idioma })
    return created(requiredLogin(ctx.tx, client.name, ctx.now()), `/clientes/${client.name}/acceso`)
  },
})
