import * as v from 'valibot'
import { archiveOfCopy } from '../../lib/backups/browse.ts'
import { copia, REFUSALS } from '../../lib/backups/shapes.ts'
import { databaseField } from '../../lib/databases/shapes.ts'
import { attachment, bytesShape } from '../../lib/endpoint/body.ts'
import { cliente, domain, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { ruta } from '../../lib/files/shapes.ts'

export default handler({
  method: 'GET',
  path: '/clientes/:cliente/copias/:copia/archivo',
  access: allow('token', 'admin', 'client'),
  summary: 'Download something of a copy',
  description:
    'A site or a path of one as `.tar.gz`, or a database as `.sql.gz`, also of one that is not there any more. It is packed while it is sent, so its length is not told before; one that could not be made to its end is broken off. A client has one at a time, and one that is read at less than 32 kB a second for over a minute is broken off.',
  params: v.strictObject({ cliente, copia }),
  query: v.strictObject({
    sitio: v.optional(told(domain, 'The site whose files are wanted.', 'ejemplo.es')),
    ruta: v.optional(ruta),
    base: v.optional(databaseField),
  }),
  produces: 'application/gzip',
  whileSuspended: true,
  output: bytesShape,
  errors: [
    ...REFUSALS,
    'copia_no_existe',
    'copia_danada',
    'copias_no_disponibles',
    'sitio_no_existe:409',
    'base_no_existe:409',
    'archivo_no_existe',
    'ruta_invalida',
    'destino_contrasena',
    'destino_fallo',
    'no_disponible',
  ],
  async run(ctx, { params, query }) {
    const { sitio: site = null, ruta: path = null, base = null } = query
    const named = { client: params.cliente, copy: params.copia }
    const { content, name } = await archiveOfCopy(ctx, named, { site, path, base })
    return ok(content, { 'content-disposition': attachment(name) })
  },
})
