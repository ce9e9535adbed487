import * as v from 'valibot'
import { decidePublication } from '../../lib/applications/decide-copies.ts'
import { publicationFacts } from '../../lib/applications/facts.ts'
import { queuePublication } from '../../lib/applications/publish.ts'
import { archivos, REFUSALS, tablas } from '../../lib/applications/shapes.ts'
import { domain } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler } from '../../lib/endpoint/handler.ts'
import { workShape } from '../../lib/work/shapes.ts'

export default handler({
  method: 'POST',
  path: '/sitios/:domain/publicar',
  access: allow('token', 'admin', 'client'),
  summary: 'Publish a clone',
  description:
    "Puts the files of a clone, and only those of its tables that are named, in the place of those of the site that it was copied from, with that site's addresses. Its settings (`wp-config.php`, `.htaccess`, `.user.ini`), its uploads and all other tables stay. What is replaced is kept beside the site, counted in its space, until the next publication: `POST …/aplicacion/deshacer` puts it back. Where the site does not answer afterwards that is done at once (`aplicacion_no_responde`).",
  params: v.strictObject({ domain }),
  body: v.strictObject({ archivos: v.optional(archivos), tablas: v.optional(tablas) }),
  output: workShape,
  statuses: [202],
  errors: [...REFUSALS, 'aplicacion_no_responde', 'no_es_clon', 'tabla_no_admitida'],
  async run(ctx, { params, body }) {
    const known = decidePublication(await publicationFacts(ctx, params.domain), ctx.config.node)
    const asked = { files: body.archivos ?? true, tables: body.tablas ?? [] }
    ctx.audit.detail = { archivos: asked.files, tablas: asked.tables.join(' ') }
    ctx.audit.outcome = 'pedido'
    const { queries, work } = queuePublication(ctx, known, asked)
    ctx.tx.later(...queries)
    return accepted(work)
  },
})
