import * as v from 'valibot'
import { clientNamed, clientNamedInBody } from '../../lib/clients/clients.ts'
import { elsewhere, requireChangeable } from '../../lib/clients/decide.ts'
import { cliente, si } from '../../lib/endpoint/fields.ts'
import { accepted, allow, DryRun, handler, ok } from '../../lib/endpoint/handler.ts'
import { prepareClient, readContents, requireImports } from '../../lib/imports/archives/read.ts'
import { decideImport } from '../../lib/imports/decide.ts'
import { decideNewImport } from '../../lib/imports/decide-new.ts'
import { importFacts, openImport } from '../../lib/imports/facts.ts'
import { newImport } from '../../lib/imports/kind.ts'
import { archivo, importShape, origen } from '../../lib/imports/shapes.ts'
import { planView } from '../../lib/imports/view.ts'
import { unasked } from '../../lib/proof/decide-proven.ts'
import { queueJob } from '../../lib/work/jobs.ts'
import { workNow, workReading } from '../../lib/work/view.ts'

/** Larger archives are imported without a look before. */
const PREVIEW_MS = 120_000

export default handler({
  method: 'POST',
  path: '/importaciones',
  access: allow('token', 'admin'),
  summary: "Import a customer's archive of another panel",
  description:
    "`ruta` is a file in the directory `PANEL_IMPORTACIONES` of the client's node. The client's own programs unpack it, and nothing that the client has already is touched: repeated, an import makes what is missing. `simular=si` changes nothing and answers what would be taken, changed and left. `GET /tareas/<id>` tells `hechos` and `fallidos` in the end, one line a thing, and where there are any, `cambia` with the parts of sites that nobody gets into and `deja` with what was left out. What failed is removed again, and stops nothing else.",
  query: v.strictObject({ simular: v.optional(si) }),
  body: v.strictObject({ cliente, origen, ruta: archivo }),
  output: importShape,
  statuses: [200, 202],
  errors: [
    'cliente_no_existe:409',
    'cliente_en_otro_nodo',
    'cliente_eliminandose',
    'cliente_suspendido',
    'ruta_invalida',
    'archivo_no_existe:409',
    'archivo_peligroso',
    'importacion_no_reconocida',
    'limite_del_plan',
    'ya_en_curso',
    'no_disponible',
    'prohibido',
  ],
  async prepare(services, { query, body }, ctx) {
    // Without a node here the work itself looks; what stands against the client is told by `run`.
    if (services.driver === null) return null
    const client = await clientNamed(ctx, body.cliente)
    if (client?.node !== services.config.node) return null
    if (requireChangeable(client, services.config.node).state === 'suspendido') return null
    const imports = requireImports(services)
    imports.require(body.ruta)
    if (query.simular !== 'si') return null
    await prepareClient(services, client.id, (_, run) => run())
    const archive = { clientId: client.id, name: body.ruta }
    return readContents(imports, { archive, origin: body.origen }, AbortSignal.timeout(PREVIEW_MS))
  },
  async run(ctx, { query, body }, contents) {
    const [client, open] = await Promise.all([
      clientNamedInBody(ctx, body.cliente),
      openImport(ctx.tx, body.cliente),
    ])
    decideNewImport({ client, isRunning: open !== undefined })
    ctx.audit.detail = { ruta: body.ruta, origen: body.origen }
    if (query.simular === 'si') {
      const by = { proof: unasked(ctx.keys, false), language: ctx.request.language }
      // The look of a host that is not the client's node would be no look.
      if (contents === null) throw elsewhere(client)
      const asked = { client, origin: body.origen, file: body.ruta }
      const facts = await importFacts(ctx, asked, contents)
      throw new DryRun(ok(planView(decideImport(contents, facts, by))))
    }
    ctx.audit.outcome = 'pedido'
    const job = newImport(client, { origin: body.origen, file: body.ruta })
    ctx.tx.later(queueJob(ctx, job))
    return accepted(workReading(ctx.tx, job))
  },
  async settled(ctx, _input, answer) {
    if (!('tarea' in answer.body)) return answer
    return accepted(await workNow(ctx.tx, answer.body))
  },
})
