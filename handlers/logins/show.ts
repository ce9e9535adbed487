import * as v from 'valibot'
import { findClient } from '../../lib/clients.ts'
import { cliente } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'
import { requiredLogin } from '../../lib/logins.ts'
import { loginShape } from '../../lib/shapes.ts'

export default handler({
  method: 'GET',
  path: '/clientes/:cliente/acceso',
  access: allow('token', 'admin', 'client'),
  summary: "Show the client's login and the state of its link",
  params: v.strictObject({ cliente }),
  output: loginShape,
  errors: ['cliente_no_existe', 'acceso_no_existe'],
  async run({ tx, actor, now }, { params }) {
    const client = await findClient(tx, actor, params.cliente)
    return ok(requiredLogin(tx, client.name, now()))
  },
})
