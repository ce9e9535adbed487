import * as v from 'valibot'
import { clientToChange } from '../../lib/clients.ts'
import { AppError } from '../../lib/errors.ts'
import { cliente, correo, idioma, told } from '../../lib/fields.ts'
import { allow, created, handler } from '../../lib/handler.ts'
import { askForLogin, createLogin, requiredLogin } from '../../lib/logins.ts'
import { loginShape } from '../../lib/shapes.ts'

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
    await askForLogin(ctx, params.cliente)
    const client = await clientToChange(ctx, params.cliente)
    await createLogin(ctx, client, body)
    return created(requiredLogin(ctx.tx, client.name, ctx.now()), `/clientes/${client.name}/acceso`)
  },
})
