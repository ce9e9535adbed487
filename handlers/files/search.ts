import * as v from 'valibot'
import { domain, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { siteFiles } from '../../lib/files/facts.ts'
import { findingsShape, REFUSALS, ruta } from '../../lib/files/shapes.ts'
import { foundView } from '../../lib/files/view.ts'

const nombre = told(
  v.pipe(v.string(), v.minLength(1, 'obligatorio'), v.maxLength(255, 'demasiado_largo')),
  'What the name contains, in letters of either case.',
  'index',
)

export default handler({
  method: 'GET',
  path: '/sitios/:domain/archivos/buscar',
  access: allow('token', 'admin', 'client'),
  summary: 'Search the files of a site by name',
  description:
    'Below a folder, up to 32 levels deep, for at most eight seconds; links are not followed. `completo` tells whether that was enough.',
  params: v.strictObject({ domain }),
  query: v.strictObject({ nombre, ruta: v.optional(ruta, '/') }),
  whileSuspended: true,
  output: findingsShape,
  errors: [...REFUSALS, 'archivo_no_existe', 'ruta_invalida'],
  async run(ctx, { params, query }) {
    const { files, at } = await siteFiles(ctx, ctx, { domain: params.domain, path: query.ruta })
    const { found, whole } = await files.search(at, query.nombre)
    return ok({ datos: found.map(foundView), completo: whole })
  },
})
