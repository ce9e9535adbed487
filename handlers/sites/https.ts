import * as v from 'valibot'
import { AppError } from '../../lib/endpoint/errors.ts'
import { domain } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler } from '../../lib/endpoint/handler.ts'
import { nodeOf } from '../../lib/nodes/decide.ts'
import { nodeFacts } from '../../lib/nodes/facts.ts'
import { requireFunction } from '../../lib/plans/decide.ts'
import { clientsPlan } from '../../lib/plans/room.ts'
import {
  certificateSubject,
  certificateUnderWay,
  enqueueCertificate,
} from '../../lib/sites/certificates/site.ts'
import { ownerOf, siteToChange } from '../../lib/sites/facts.ts'
import { siteShape } from '../../lib/sites/shapes.ts'
import { siteReading } from '../../lib/sites/view.ts'
import { chargeOne, usedOf, waitFor } from '../../lib/store/counters.ts'

/** Fewer than the failed validations that an authority allows a name (Let's Encrypt: five an hour). */
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
    const { tx } = ctx
    const asks = { name: `https:${params.domain}`, limit: ASKS_PER_HOUR, windowSeconds: 3600 }
    const now = ctx.now()
    const [{ site, client }, used, plan, nodes, underWay] = await Promise.all([
      siteToChange(ctx, params.domain),
      usedOf(tx, asks, now),
      clientsPlan(tx, ownerOf(tx, params.domain)),
      nodeFacts(ctx),
      certificateUnderWay(tx, params.domain),
    ])
    requireFunction(plan, 'https')
    if (nodeOf(nodes, client.node).offers?.certificates === false) throw new AppError('https_no_disponible')
    if (!underWay) {
      const retryAfterSeconds = waitFor(asks, used, now)
      if (retryAfterSeconds > 0) throw new AppError('espera', { retryAfterSeconds })
      tx.later(chargeOne(tx, asks, now))
      enqueueCertificate(tx, ctx, { site, client, renew: true })
      ctx.queued.add(certificateSubject(site))
    }
    return accepted(siteReading(ctx, site.domain))
  },
})
