import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { clientNamedInBody, clientWhere } from '../../lib/clients/clients.ts'
import { queueNewDatabase } from '../../lib/databases/commands.ts'
import { decideDatabase } from '../../lib/databases/decide.ts'
import { newDatabaseFacts } from '../../lib/databases/facts.ts'
import { databaseName } from '../../lib/databases/names.ts'
import { databaseField, databaseShape } from '../../lib/databases/shapes.ts'
import { databaseReading } from '../../lib/databases/view.ts'
import { cliente } from '../../lib/endpoint/fields.ts'
import { allow, created, handler, ok } from '../../lib/endpoint/handler.ts'
import { invalidField } from '../../lib/endpoint/validate.ts'
import { readNow } from '../../lib/store/reading.ts'
import { clients } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/bases',
  access: allow('token', 'admin', 'client'),
  summary: 'Create a database',
  description:
    'The answer tells the whole name. The client’s own programs reach it by the socket, without a password, as `usuario`. The same database of the same client again answers 200.',
  body: v.strictObject({ cliente, base: databaseField }),
  output: databaseShape,
  statuses: [200, 201],
  errors: [
    'funcion_de_pago',
    'nodo_ausente',
    'cliente_no_existe:409',
    'cliente_en_otro_nodo',
    'cliente_eliminandose',
    'ya_existe',
    'limite_del_plan',
    'bases_no_disponible',
  ],
  async run(ctx, { body }) {
    const name = databaseName(body.cliente, body.base)
    if (name === null) throw invalidField('base', 'nombre_de_base_invalido', ctx.request.language)
    ctx.audit.target = name
    const [client, facts] = await Promise.all([
      clientNamedInBody(ctx, body.cliente),
      newDatabaseFacts(ctx, clientWhere(ctx.tx, eq(clients.name, body.cliente)), name),
    ])
    ctx.audit.client = client.name
    const view = databaseReading(ctx, name)
    if (!decideDatabase(facts, client)) return ok(view)
    ctx.tx.later(...queueNewDatabase(ctx, client, name))
    return created(view, `/bases/${name}`)
  },
  async settled(ctx, { body }, answer) {
    const name = databaseName(body.cliente, body.base) ?? ''
    return { ...answer, body: await readNow(ctx.tx, databaseReading(ctx, name)) }
  },
})
