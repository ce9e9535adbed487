import * as v from 'valibot'
import { folderOfCopy } from '../../lib/backups/browse.ts'
import { copia, REFUSALS } from '../../lib/backups/shapes.ts'
import { cliente, page, pageQuery } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf } from '../../lib/endpoint/page.ts'
import { entryShape, fileName, ruta } from '../../lib/files/shapes.ts'
import { entryView } from '../../lib/files/view.ts'

export default handler({
  method: 'GET',
  path: '/clientes/:cliente/copias/:copia/archivos',
  access: allow('token', 'admin', 'client'),
  summary: 'List a folder of a copy',
  description:
    "In the order of their names. `/` and `/sitios` are the copy's own, `/sitios/<domain>` is the folder of a site, as an SFTP account for everything sees it.",
  params: v.strictObject({ cliente, copia }),
  query: v.strictObject({ ...pageQuery, desde: v.optional(fileName), ruta: v.optional(ruta, '/') }),
  whileSuspended: true,
  output: page(entryShape),
  errors: [
    ...REFUSALS,
    'copia_no_existe',
    'copias_no_disponibles',
    'archivo_no_existe',
    'ruta_invalida',
    'destino_contrasena',
    'destino_fallo',
    'no_disponible',
  ],
  async run(ctx, { params, query }) {
    const entries = await folderOfCopy(ctx, { client: params.cliente, copy: params.copia }, query.ruta)
    const { desde } = query
    const after = desde === undefined ? entries : entries.filter(({ name }) => name > desde)
    return ok(pageOf(after, query.limite, ({ name }) => name, entryView))
  },
})
