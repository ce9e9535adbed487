import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { changesOf } from '../../lib/audit/changes.ts'
import { domain } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { nodeOf } from '../../lib/nodes/decide.ts'
import { nodeFacts } from '../../lib/nodes/facts.ts'
import { clientsPlan } from '../../lib/plans/room.ts'
import { askProof } from '../../lib/proof/claim.ts'
import { queueAliases, queueSiteSync } from '../../lib/sites/commands.ts'
import { decideAliases, requirePhp } from '../../lib/sites/decide.ts'
import { namesFacts, ownerOf, siteToChange } from '../../lib/sites/facts.ts'
import { queueGuards } from '../../lib/sites/guards.ts'
import { requireWithinPlan } from '../../lib/sites/php-shapes.ts'
import { guardRows } from '../../lib/sites/rules-shapes.ts'
import { siteShape } from '../../lib/sites/shapes.ts'
import { siteReading } from '../../lib/sites/view.ts'
import { readNow } from '../../lib/store/reading.ts'
import { sites } from '../../schema/tables.ts'
import { changes, columnsOf } from './fields.ts'

export default handler({
  method: 'PATCH',
  path: '/sitios/:domain',
  access: allow('token', 'admin', 'client'),
  summary: "Change a site's names, PHP version and how its addresses are answered",
  description:
    "An alias below a zone of the same client has addresses of the panel's own there while it is one, unless the customer set what answers for it; `www` only where the zone's own name has the panel's too. A customer proves new aliases as it does in `POST /sitios`. `solo_https` is accepted at any time and held (`solo_https_en_espera`) until the site has a certificate that browsers trust. With `cache` the web server keeps pages of programs: never for a request with a body, a query that is not listed, authorisation, or a cookie that a program may know; never past the program's own `Cache-Control`, `Expires`, `Set-Cookie` and `Vary`. The header `X-Cache` tells.",
  params: v.strictObject({ domain }),
  body: changes,
  output: siteShape,
  errors: [
    'sitio_no_existe',
    'cliente_en_otro_nodo',
    'cliente_eliminandose',
    'funcion_de_pago',
    'php_no_disponible',
    'dominio_ocupado',
    'dominio_sin_probar',
    'limite_del_plan',
  ],
  prepare: (services, { params, body }, ctx) =>
    askProof(services, ctx, { names: body.aliases ?? [], site: params.domain }),
  async run(ctx, { params, body }, proof) {
    const { aliases: names, php } = body
    const owner = ownerOf(ctx.tx, params.domain)
    const [{ site, client }, before, naming, plan, nodes] = await Promise.all([
      siteToChange(ctx, params.domain),
      readNow(ctx.tx, siteReading(ctx, params.domain)),
      names && namesFacts(ctx, owner, { domain: params.domain, names, force: false }),
      php || body.php_ajustes ? clientsPlan(ctx.tx, owner) : null,
      php ? nodeFacts(ctx) : null,
    ])
    if (php && nodes) requirePhp(plan, nodeOf(nodes, client.node), php)
    if (body.php_ajustes) requireWithinPlan(plan, body.php_ajustes, ctx.request.language)
    const wanted = { aliases: names ?? [], proof, language: ctx.request.language }
    const renamed = naming && decideAliases(naming, { site, client }, wanted)
    ctx.audit.changes = changesOf(before, body)
    const set = columnsOf(body)
    if (renamed) ctx.tx.later(...queueAliases(ctx, { site, client }, renamed))
    if (Object.keys(set).length > 0) ctx.tx.later(ctx.tx.update(sites).set(set).where(eq(sites.id, site.id)))
    if (body.protegidas) ctx.tx.later(...queueGuards(ctx, site, guardRows(body.protegidas)))
    ctx.tx.later(queueSiteSync(ctx, client, site.domain))
    return ok(siteReading(ctx, site.domain))
  },
  settled: async (ctx, { params }) => ok(await readNow(ctx.tx, siteReading(ctx, params.domain))),
})
