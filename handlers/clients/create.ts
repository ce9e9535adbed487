import * as v from 'valibot'
import { creation, newClientFacts } from '../../lib/clients/create.ts'
import { decideNewClient } from '../../lib/clients/decide.ts'
import { clientShape } from '../../lib/clients/shapes.ts'
import { clientReading } from '../../lib/clients/view.ts'
import { cliente, correo, idioma, nodo, nombre, plan, referencia } from '../../lib/endpoint/fields.ts'
import { allow, created, handler, ok } from '../../lib/endpoint/handler.ts'
import { clients } from '../../schema/tables.ts'

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
    const facts = await newClientFacts(ctx, body)
    const change = decideNewClient(facts, body, creation(ctx))
    const view = clientReading(ctx, body.cliente)
    if ('existing' in change) return ok(view)
    // Nothing is made on the node yet: the client's first site brings user, pool and directories.
    ctx.tx.later(ctx.tx.insert(clients).values(change.row))
    return created(view, `/clientes/${body.cliente}`)
  },
})
