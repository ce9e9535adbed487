import * as v from 'valibot'
import {
  decideCopies,
  decideRestore,
  type RestoredPart,
  requireCopy,
  requireTurn,
} from '../../lib/backups/decide.ts'
import { copyFacts, countAsked, restoredBase, waitToAsk } from '../../lib/backups/facts.ts'
import { queueRestore } from '../../lib/backups/restore/queue.ts'
import { copia, modo, parte, REFUSALS } from '../../lib/backups/shapes.ts'
import { databaseField } from '../../lib/databases/shapes.ts'
import { cliente, domain, told } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler } from '../../lib/endpoint/handler.ts'
import { ruta } from '../../lib/files/shapes.ts'
import { LOAD_REFUSALS } from '../../lib/loads/errors.ts'
import { workShape } from '../../lib/work/shapes.ts'
import { workNow, workReading } from '../../lib/work/view.ts'

export default handler({
  method: 'POST',
  path: '/clientes/:cliente/copias/:copia/restaurar',
  access: allow('token', 'admin', 'client'),
  summary: 'Restore something of a copy',
  description:
    'A site, a path of one, or a database. `aparte` puts it into a new folder of the site, which is not served (`resultado.ruta`), a database as its dump. `sustituir` puts it in the place of what is there, once it is there as a whole; what was there is copied first, and `resultado.deshacer` is the id of that copy: null where a database or the folder of a site was lost, which is made anew, the database with its accounts. What its owner cannot read has no copy and stays as it is: up to twenty names of that are told (`resultado.sin_tocar`). A whole site gets what it was set to then as well: how its addresses are answered, PHP, cache, HTTPS, names that are free, tasks, and protected paths with their passwords, which are in force before the files are there. Paths that were protected since stay so. What does not come back is told (`resultado.omitidos`). `parte` asks for the files or the settings alone. Customers have one restore under way at a time.',
  params: v.strictObject({ cliente, copia }),
  body: v.strictObject({
    sitio: v.optional(
      told(domain, 'The site to restore, or to put the dump of a database into.', 'ejemplo.es'),
    ),
    ruta: v.optional(ruta),
    base: v.optional(databaseField),
    modo,
    parte: v.optional(parte),
  }),
  whileSuspended: true,
  output: workShape,
  statuses: [202],
  errors: [
    ...REFUSALS,
    'copia_no_existe',
    'copia_incompleta',
    'copia_danada',
    'copias_no_disponibles',
    'sitio_no_existe:409',
    'base_no_existe:409',
    'bases_no_disponible',
    'archivo_no_existe:409',
    'ruta_invalida',
    'ya_en_curso',
    ...LOAD_REFUSALS,
    'no_disponible',
  ],
  async run(ctx, { params, body }) {
    const [facts, base, waitSeconds] = await Promise.all([
      copyFacts(ctx, { client: params.cliente, copy: params.copia }),
      restoredBase(ctx, body.modo === 'sustituir' ? body.base : undefined),
      waitToAsk(ctx, params.cliente),
    ])
    const { client, copy: found, restoring } = decideCopies(facts, ctx.config.node)
    const copy = requireCopy(found)
    const { wanted, database } = decideRestore(copy, wantedOf(body), {
      base,
      client,
      language: ctx.request.language,
    })
    requireTurn({ actor: ctx.actor, underWay: restoring, waitSeconds })
    countAsked(ctx, params.cliente)
    ctx.audit.detail = { ...body }
    ctx.audit.outcome = 'pedido'
    const { queries, job } = queueRestore(ctx, { client, copy, wanted, database })
    ctx.tx.later(...queries)
    return accepted(workReading(ctx.tx, job))
  },
  settled: async (ctx, _input, { body }) => accepted(await workNow(ctx.tx, body)),
})

type Body = {
  sitio?: string | undefined
  ruta?: string | undefined
  base?: string | undefined
  modo: 'aparte' | 'sustituir'
  parte?: RestoredPart | undefined
}

const wantedOf = ({ sitio, ruta: path, base, modo: mode, parte: part }: Body) => ({
  ...{ site: sitio ?? null, path: path ?? null, base: base ?? null },
  ...{ mode, part: part ?? null },
})
