import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { changesOf } from '../../lib/audit/changes.ts'
import { clientNamed, clientWithReference } from '../../lib/clients/clients.ts'
import { requireChangeable, requireReferenceFree } from '../../lib/clients/decide.ts'
import { clientShape } from '../../lib/clients/shapes.ts'
import { clientReading } from '../../lib/clients/view.ts'
import { cliente, nombre, referencia } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { clients } from '../../schema/tables.ts'

export default handler({
  method: 'PATCH',
  path: '/clientes/:cliente',
  access: allow('token', 'admin'),
  summary: "Change a client's display name or reference",
  params: v.strictObject({ cliente }),
  body: v.strictObject({
    nombre: v.optional(v.nullable(nombre)),
    referencia: v.optional(v.nullable(referencia)),
  }),
  output: clientShape,
  errors: ['cliente_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose', 'referencia_en_conflicto'],
  async run(ctx, { params, body }) {
    const [found, holder] = await Promise.all([
      clientNamed(ctx, params.cliente),
      body.referencia ? clientWithReference(ctx.tx, body.referencia) : undefined,
    ])
    const client = requireChangeable(found, ctx.config.node)
    requireReferenceFree(holder, client)
    ctx.audit.changes = changesOf({ nombre: client.displayName, referencia: client.reference }, body)
    ctx.tx.later(
      ctx.tx
        .update(clients)
        .set({ displayName: body.nombre, reference: body.referencia, updatedAt: ctx.now() })
        .where(eq(clients.id, client.id)),
    )
    return ok(clientReading(ctx, client.name))
  },
})
