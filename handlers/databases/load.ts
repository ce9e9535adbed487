import * as v from 'valibot'
import { databaseField } from '../../lib/databases/shapes.ts'
import { text, told } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler } from '../../lib/endpoint/handler.ts'
import { decideNewLoad } from '../../lib/loads/decide.ts'
import { LOAD_REFUSALS } from '../../lib/loads/errors.ts'
import { loadFacts } from '../../lib/loads/facts.ts'
import { queueLoad } from '../../lib/loads/job.ts'
import { parseDumpPath } from '../../lib/loads/paths.ts'
import { workShape } from '../../lib/work/shapes.ts'
import { workNow, workReading } from '../../lib/work/view.ts'

export default handler({
  method: 'POST',
  path: '/bases/:base/cargar',
  access: allow('token', 'admin', 'client'),
  summary: 'Load a dump into a database',
  description:
    'The dump takes the place of all that the database holds, once it is loaded as a whole; what was there stays until then, and for good where anything of it is refused; a database that was lost is made anew. It may define views, triggers, routines and events, which then belong to the client, and may name no other database. Refusals within five seconds are answered here, later ones by `GET /tareas/<id>`: 422 `volcado_rechazado` with the line (`linea`) and the error number of MariaDB (`numero`), `volcado_ajeno`, `volcado_incompleto`; 409 `limite_del_plan` once it is larger than `bases_bytes` leaves room for.',
  params: v.strictObject({ base: databaseField }),
  body: v.strictObject({
    ruta: told(
      text(4000),
      'The dump, by its path as an SFTP account for everything sees it: `.sql`, `.sql.gz` or `.sql.zst`.',
      '/sitios/ejemplo.es/copias/tienda.sql.gz',
    ),
  }),
  whileSuspended: true,
  output: workShape,
  statuses: [202],
  errors: [
    'base_no_existe',
    'cliente_suspendido',
    'cliente_eliminandose',
    'cliente_en_otro_nodo',
    'funcion_de_pago',
    'bases_no_disponible',
    'no_disponible',
    'ruta_invalida',
    'archivo_no_existe:409',
    'ya_en_curso',
    ...LOAD_REFUSALS,
  ],
  async run(ctx, { params, body }) {
    const { domain, path, packing } = parseDumpPath(body.ruta)
    const facts = await loadFacts(ctx, { base: params.base, domain })
    const known = decideNewLoad(facts, ctx.config.node)
    ctx.audit.detail = { ruta: body.ruta }
    ctx.audit.outcome = 'pedido'
    const { queries, job } = queueLoad(ctx, known, { packing, site: known.site.id, path })
    ctx.tx.later(...queries)
    return accepted(workReading(ctx.tx, job))
  },
  settled: async (ctx, _input, { body }) => accepted(await workNow(ctx.tx, body)),
})
