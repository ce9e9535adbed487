import * as v from 'valibot'
import { findClient } from '../../lib/clients/clients.ts'
import { cliente } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { requiredLogin } from '../../lib/identity/logins.ts'
import { loginShape } from '../../lib/identity/shapes.ts'

export default handler({
  method: 'GET',
  path: '/clientes/:cliente/acceso',
  access: allow('token', 'admin', 'client'),
  summary: "Show the client's login and the state of its link",
  params: v.strictObject({ cliente }),
  output: loginShape,
  errors: ['cliente_no_existe', 'acceso_no_existe'],
  async run({ tx, actor, now }, { params }) {
    const client = await findClient({ tx, actor }, params.cliente)
    return ok(requiredLogin(tx, client.name, now()))
  },
})
