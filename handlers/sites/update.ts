import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { aliases, domain, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { nodeOf } from '../../lib/nodes/decide.ts'
import { nodeFacts } from '../../lib/nodes/facts.ts'
import { clientsPlan } from '../../lib/plans/room.ts'
import { askProof } from '../../lib/proof/claim.ts'
import { cacheInput, cacheRow } from '../../lib/sites/cache-shapes.ts'
import { queueAliases, queueSiteSync } from '../../lib/sites/commands.ts'
import { decideAliases, requirePhp } from '../../lib/sites/decide.ts'
import { namesFacts, ownerOf, siteToChange } from '../../lib/sites/facts.ts'
import { queueGuards } from '../../lib/sites/guards.ts'
import { phpSettingsInput, phpSettingsRow, requireWithinPlan } from '../../lib/sites/php-shapes.ts'
import {
  errorPageRow,
  errorPagesInput,
  guardRows,
  guardsInput,
  indexInput,
  indexRow,
  redirectRows,
  redirectsInput,
  singlePageInput,
  webRootInput,
} from '../../lib/sites/rules-shapes.ts'
import { siteShape } from '../../lib/sites/shapes.ts'
import { siteReading } from '../../lib/sites/view.ts'
import { readNow } from '../../lib/store/reading.ts'
import { sites } from '../../schema/tables.ts'

const changes = v.strictObject({
  aliases: v.optional(aliases),
  php: v.optional(
    told(
      v.nullable(v.pipe(v.string(), v.regex(/^[0-9]\.[0-9]{1,2}$/, 'php_invalido'))),
      'A version of PHP that the node has; null serves files alone.',
      '8.2',
    ),
  ),
  solo_https: v.optional(told(v.boolean(), 'Whether HTTP is redirected to HTTPS.', true)),
  php_ajustes: v.optional(phpSettingsInput),
  cache: v.optional(cacheInput),
  raiz_web: v.optional(webRootInput),
  indice_spa: v.optional(singlePageInput),
  indice: v.optional(indexInput),
  redirecciones: v.optional(redirectsInput),
  protegidas: v.optional(guardsInput),
  paginas_error: v.optional(errorPagesInput),
})

/** What of a change stands in the site's own row. */
const columnsOf = (body: v.InferOutput<typeof changes>): Partial<typeof sites.$inferInsert> => ({
  ...(body.php === undefined ? {} : { php: body.php }),
  ...(body.solo_https === undefined ? {} : { httpsOnly: body.solo_https }),
  ...(body.php_ajustes === undefined ? {} : { phpSettings: phpSettingsRow(body.php_ajustes) }),
  ...(body.cache === undefined ? {} : { cache: cacheRow(body.cache) }),
  ...(body.raiz_web === undefined ? {} : { webRoot: body.raiz_web }),
  ...(body.indice_spa === undefined ? {} : { singlePage: body.indice_spa }),
  ...(body.indice === undefined ? {} : { indexFiles: indexRow(body.indice) }),
  ...(body.redirecciones === undefined ? {} : { redirects: redirectRows(body.redirecciones) }),
  ...(body.paginas_error === undefined ? {} : { errorPages: errorPageRow(body.paginas_error) }),
})

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
    const [{ site, client }, naming, plan, nodes] = await Promise.all([
      siteToChange(ctx, params.domain),
      names && namesFacts(ctx, owner, { domain: params.domain, names, force: false }),
      php || body.php_ajustes ? clientsPlan(ctx.tx, owner) : null,
      php ? nodeFacts(ctx) : null,
    ])
    if (php && nodes) requirePhp(plan, nodeOf(nodes, client.node), php)
    if (body.php_ajustes) requireWithinPlan(plan, body.php_ajustes, ctx.request.language)
    const wanted = { aliases: names ?? [], proof, language: ctx.request.language }
    const renamed = naming && decideAliases(naming, { site, client }, wanted)
    const set = columnsOf(body)
    if (renamed) ctx.tx.later(...queueAliases(ctx, { site, client }, renamed))
    if (Object.keys(set).length > 0) ctx.tx.later(ctx.tx.update(sites).set(set).where(eq(sites.id, site.id)))
    if (body.protegidas) ctx.tx.later(...queueGuards(ctx, site, guardRows(body.protegidas)))
    ctx.tx.later(queueSiteSync(ctx, client, site.domain))
    return ok(siteReading(ctx, site.domain))
  },
  settled: async (ctx, { params }) => ok(await readNow(ctx.tx, siteReading(ctx, params.domain))),
})
