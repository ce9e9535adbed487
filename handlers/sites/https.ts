import * as v from 'valibot'
import { certificateSubject, certificateUnderWay, queueCertificate } from '../../lib/certificates/site.ts'
import { foreseenOwner, requireHere } from '../../lib/clients.ts'
import { AppError } from '../../lib/errors.ts'
import { domain } from '../../lib/fields.ts'
import { accepted, allow, handler } from '../../lib/handler.ts'
import { offersOf } from '../../lib/offers.ts'
import { planOf, requireFunction } from '../../lib/plans.ts'
import { siteShape } from '../../lib/shapes.ts'
import { charge, usedOf } from '../../lib/shared-budget.ts'
import { findSite, isOwnerOf, siteReading } from '../../lib/sites.ts'

/** An authority bears few failed validations of a name (Let's Encrypt: five an hour), so a person gets fewer. */
const ASKS_PER_HOUR = 4

export default handler({
  method: 'POST',
  path: '/sitios/:domain/https',
  access: allow('token', 'admin', 'client'),
  summary: 'Ask for or renew the certificate now',
  description: 'How it went is shown in `https`. Asked again while it is being asked for, it is asked once.',
  params: v.strictObject({ domain }),
  output: siteShape,
  statuses: [202],
  errors: [
    'sitio_no_existe',
    'cliente_en_otro_nodo',
    'cliente_eliminandose',
    'funcion_de_pago',
    'https_no_disponible',
  ],
  async run(ctx, { params }) {
    const asks = { name: `https:${params.domain}`, limit: ASKS_PER_HOUR, windowSeconds: 3600 }
    const now = ctx.now()
    const owner = foreseenOwner(ctx, isOwnerOf(params.domain))
    await ctx.tx.ahead(
      () => findSite(ctx.tx, ctx.actor, params.domain),
      () => usedOf(ctx.tx, asks, now),
      () => planOf(ctx.tx, owner),
      () => certificateUnderWay(ctx.tx, params.domain),
      () => offersOf(ctx, owner),
    )
    const { site, client } = await findSite(ctx.tx, ctx.actor, params.domain)
    Object.assign(ctx.audit, { client: client.name, target: site.domain })
    requireHere(ctx, client)
    if (site.state === 'eliminando') throw new AppError('sitio_no_existe')
    requireFunction(await planOf(ctx.tx, client), 'https')
    if ((await offersOf(ctx, client))?.certificates === false) throw new AppError('https_no_disponible')
    if (!(await certificateUnderWay(ctx.tx, site.domain))) {
      const retryAfterSeconds = await charge(ctx.tx, asks, now)
      if (retryAfterSeconds > 0) throw new AppError('espera', { retryAfterSeconds })
      await queueCertificate(ctx.tx, ctx, { site, client }, true)
      ctx.queued.add(certificateSubject(site))
    }
    return accepted(siteReading(ctx, site.domain))
  },
})
