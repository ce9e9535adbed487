import * as v from 'valibot'
import { databaseField } from '../../lib/databases/shapes.ts'
import { domain, si, told } from '../../lib/endpoint/fields.ts'
import { accepted, allow, DryRun, handler, ok } from '../../lib/endpoint/handler.ts'
import { LOAD_REFUSALS } from '../../lib/loads/errors.ts'
import { decideRestore, ownerName, requireBare, requireEntry, requireTarget } from '../../lib/trash/decide.ts'
import { keptEntry, requireBin, restoreFacts } from '../../lib/trash/facts.ts'
import { queueRestore } from '../../lib/trash/job.ts'
import { deletedSettings, formerOf, keptOf } from '../../lib/trash/settings.ts'
import { entrada, restoreShape } from '../../lib/trash/shapes.ts'
import { restorePlanView } from '../../lib/trash/view.ts'
import { workNow, workReading } from '../../lib/work/view.ts'

export default handler({
  method: 'POST',
  path: '/papelera/:id/restaurar',
  access: allow('token', 'admin', 'client'),
  summary: 'Restore something that was deleted',
  description:
    "A site's files go to the site `sitio`, which exists and has no files yet; by default to the one of the same name of the same client (409 `sitio_no_existe` until it is created again, 409 `sitio_no_vacio`). What the deleted site was set to comes back with them, its tasks and its installed application too; paths that a password opens are protected before the files are there. What of that does not come back is told (`omitidos`). A database's dump takes the place of all that the database `base` holds, once it is loaded as a whole; by default of the one of the same name. Operators can put an entry apart, into a folder of the node (`aparte`); what was a whole client goes there, unless `sitio` has the name of one of its sites: that one's files and settings go to it, and the rest stays; what was nobody's goes there unless it is a database and `base` is given, and what was a client's that is gone unless `sitio` or `base` is given. A target that does not fit the entry, or one besides `aparte`, is refused (422). The entry then leaves the bin. `resultado` tells where it is: `sitio`, `base` or `ruta`. `simular=si` changes nothing and answers what would be done.",
  params: v.strictObject({ id: entrada }),
  query: v.strictObject({ simular: v.optional(si) }),
  body: v.strictObject({
    sitio: v.optional(told(domain, 'The site that gets the files.', 'ejemplo.es')),
    base: v.optional(told(databaseField, 'The database that gets the dump.', 'acme_tienda')),
    aparte: v.optional(told(v.boolean(), 'Whether it is put into a folder of the node instead.', false)),
  }),
  bodyOptional: true,
  output: restoreShape,
  statuses: [200, 202],
  errors: [
    'entrada_no_existe',
    'sitio_no_existe:409',
    'base_no_existe:409',
    'sitio_no_vacio',
    'cliente_en_otro_nodo',
    'cliente_eliminandose',
    'cliente_suspendido',
    'en_mudanza',
    'funcion_de_pago',
    'bases_no_disponible',
    'ya_en_curso',
    ...LOAD_REFUSALS,
    'no_disponible',
  ],
  prepare: async ({ driver }) => driver?.bin ?? null,
  async run(ctx, { params, query, body }, known) {
    const bin = requireBin(known)
    const found = keptEntry(bin, params.id, ctx)
    const facts = await restoreFacts(ctx, found, {
      ...{ site: body.sitio, database: body.base },
      former: formerOf(bin, found, body.sitio),
    })
    const entry = requireEntry(found, ctx.actor, facts.owner)
    requireTarget(entry, targetOf(body), ctx.request.language)
    const client = ownerName(entry, facts.owner)
    Object.assign(ctx.audit, { target: params.id, ...(client === null ? {} : { client }) })
    const to = decideRestore(entry, facts, {
      actor: ctx.actor,
      here: ctx.config.node,
      apart: body.aparte === true,
      exhausted: ctx.driver?.exhausted() ?? null,
    })
    requireBare(to, entry.id, bin)
    const kept = to.kind === 'site' && query.simular === 'si' ? keptOf(bin, entry, to.from) : null
    const settings = to.kind === 'site' && kept ? await deletedSettings(ctx, kept, { ...to, entry }) : null
    const plan = restorePlanView(entry, facts.owner, { to, settings })
    if (query.simular === 'si') throw new DryRun(ok(plan))
    ctx.audit.detail = { nombre: plan.nombre, sitio: plan.sitio, base: plan.base }
    ctx.audit.outcome = 'pedido'
    const { queries, job } = queueRestore(ctx, entry, to)
    ctx.tx.later(...queries)
    return accepted(workReading(ctx.tx, job))
  },
  async settled(ctx, _input, answer) {
    if (!('tarea' in answer.body)) return answer
    return accepted(await workNow(ctx.tx, answer.body))
  },
})

type Body = { sitio?: string | undefined; base?: string | undefined; aparte?: boolean | undefined }

const targetOf = ({ sitio: site, base, aparte: apart }: Body) => ({ site, base, apart })
