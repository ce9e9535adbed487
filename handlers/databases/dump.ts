import * as v from 'valibot'
import { databaseToDump } from '../../lib/databases/facts.ts'
import { databaseField } from '../../lib/databases/shapes.ts'
import { attachment, bytesShape } from '../../lib/endpoint/body.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'

export default handler({
  method: 'GET',
  path: '/bases/:base/volcado',
  access: allow('token', 'admin', 'client'),
  summary: 'Download a dump of a database',
  description:
    'All of it at one moment, with routines, triggers and events, as gzip. It is made while it is sent, so its length is not told before; one that could not be made to its end is broken off. A client has one at a time, and one that is read at less than 32 kB a second for over a minute is broken off. Its last line is `-- Dump completed`.',
  params: v.strictObject({ base: databaseField }),
  produces: 'application/sql+gzip',
  whileSuspended: true,
  output: bytesShape,
  errors: [
    'base_no_existe',
    'cliente_suspendido',
    'cliente_eliminandose',
    'cliente_en_otro_nodo',
    'bases_no_disponible',
    'no_disponible',
  ],
  async run(ctx, { params }) {
    const { server, database } = await databaseToDump(ctx, params.base)
    const headers = { 'content-disposition': attachment(`${database.name}.sql.gz`) }
    return ok(await server.dump(database, database), headers)
  },
})
