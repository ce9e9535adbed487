import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { foreseenOwner, type Owner, requireHere } from '../../lib/clients.ts'
import type { WriteCtx } from '../../lib/context.ts'
import { AppError } from '../../lib/errors.ts'
import { aliases, domain, told } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'
import { askForAliases, replaceAliases } from '../../lib/new-site.ts'
import { offersOf } from '../../lib/offers.ts'
import { planOf, requireFunction } from '../../lib/plans.ts'
import { readNow } from '../../lib/reading.ts'
import { siteShape } from '../../lib/shapes.ts'
import { applySite, findSite, isOwnerOf, siteReading } from '../../lib/sites.ts'
import { sites } from '../../schema/tables.ts'

export default handler({
  method: 'PATCH',
  path: '/sitios/:domain',
  access: allow('token', 'admin', 'client'),
  summary: "Change a site's aliases, PHP version or HTTPS-only setting",
  description:
    "A domain's `www` record of the panel's own comes and goes with that alias; one that the customer set stays. `solo_https` is accepted at any time and held (`solo_https_en_espera`) until the site has a certificate that browsers trust.",
  params: v.strictObject({ domain }),
  body: v.strictObject({
    aliases: v.optional(aliases),
    php: v.optional(
      told(
        v.nullable(v.pipe(v.string(), v.regex(/^[0-9]\.[0-9]{1,2}$/, 'php_invalido'))),
        'A version of PHP that the node has; null serves files alone.',
        '8.2',
      ),
    ),
    solo_https: v.optional(told(v.boolean(), 'Whether HTTP is redirected to HTTPS.', true)),
  }),
  output: siteShape,
  errors: [
    'sitio_no_existe',
    'cliente_en_otro_nodo',
    'cliente_eliminandose',
    'funcion_de_pago',
    'php_no_disponible',
    'dominio_ocupado',
    'limite_del_plan',
  ],
  async run(ctx, { params, body }) {
    const owner = foreseenOwner(ctx, isOwnerOf(params.domain))
    const { aliases: names, php } = body
    await ctx.tx.ahead(
      () => findSite(ctx.tx, ctx.actor, params.domain),
      async () => names && askForAliases(ctx, owner, params.domain, names),
      async () => php && requirePhp(ctx, owner, php),
    )
    const { site, client } = await findSite(ctx.tx, ctx.actor, params.domain)
    Object.assign(ctx.audit, { client: client.name, target: site.domain })
    requireHere(ctx, client)
    if (site.state === 'eliminando') throw new AppError('sitio_no_existe')
    if (php) await requirePhp(ctx, client, php)
    if (names) await replaceAliases(ctx, { site, client }, names)
    const set = {
      ...(php === undefined ? {} : { php }),
      ...(body.solo_https === undefined ? {} : { httpsOnly: body.solo_https }),
    }
    if (Object.keys(set).length > 0) await ctx.tx.update(sites).set(set).where(eq(sites.id, site.id))
    applySite(ctx, client, site.domain)
    return ok(siteReading(ctx, site.domain))
  },
  settled: async (ctx, { params }) => ok(await readNow(ctx.tx, siteReading(ctx, params.domain))),
})

async function requirePhp(ctx: WriteCtx, client: Owner, version: string): Promise<void> {
  const [plan, offers] = await Promise.all([planOf(ctx.tx, client), offersOf(ctx, client)])
  requireFunction(plan, 'php')
  if (offers && !offers.php.includes(version)) throw new AppError('php_no_disponible')
}
