import * as v from 'valibot'
import { clientReading } from '../../lib/clients.ts'
import { cliente, correo, idioma, nodo, nombre, plan, referencia } from '../../lib/fields.ts'
import { allow, created, handler, ok } from '../../lib/handler.ts'
import { askForClient, createClient } from '../../lib/new-client.ts'
import { clientShape } from '../../lib/shapes.ts'

export default handler({
  method: 'POST',
  path: '/clientes',
  access: allow('token', 'admin'),
  summary: 'Create a client',
  description: 'The same `referencia` and `cliente` again answers 200 with the existing client.',
  body: v.strictObject({
    cliente,
    referencia: v.optional(v.nullable(referencia)),
    nombre: v.optional(v.nullable(nombre)),
    correo: v.optional(v.nullable(correo)),
    plan: v.optional(v.nullable(plan)),
    idioma: v.optional(idioma),
    nodo: v.optional(nodo),
  }),
  output: clientShape,
  statuses: [200, 201],
  errors: [
    'nodo_ausente',
    'plan_no_existe:409',
    'nodo_no_existe:409',
    'cliente_eliminandose',
    'cliente_en_otro_nodo',
    'referencia_en_conflicto',
    'ya_existe',
  ],
  async run(ctx, { body }) {
    await askForClient(ctx, body)
    const { client, isNew } = await createClient(ctx, body)
    const view = clientReading(ctx, client.name)
    return isNew ? created(view, `/clientes/${client.name}`) : ok(view)
  },
})
