import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { queueRemovalCopied } from '../../lib/backups/before/queue.ts'
import { ownerOfSite, removalFacts } from '../../lib/backups/facts.ts'
import { copiaPrevia } from '../../lib/backups/shapes.ts'
import { toldCopy } from '../../lib/backups/view.ts'
import { requireChangeable } from '../../lib/clients/decide.ts'
import { decideBroughtZone } from '../../lib/dns/decide-zone.ts'
import { broughtZone } from '../../lib/dns/new-zone.ts'
import { retireZone } from '../../lib/dns/zones.ts'
import { domain, told } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { removalShape } from '../../lib/endpoint/shapes.ts'
import { queueLeaving, siteJob } from '../../lib/sites/commands.ts'
import { decideGoneRecords } from '../../lib/sites/decide-name-records.ts'
import { findSite } from '../../lib/sites/facts.ts'
import { aroundFacts, queueNameRecords } from '../../lib/sites/name-records.ts'
import { namesOf } from '../../lib/sites/names.ts'
import { sites } from '../../schema/tables.ts'

export default handler({
  method: 'DELETE',
  path: '/sitios/:domain',
  access: allow('token', 'admin', 'client'),
  summary: 'Delete a site',
  description:
    'Its files go to the bin. Where copies of this node go anywhere, it is copied first: that keeps it for ten minutes at the most, and for a customer happens twenty times within 24 hours; then the bin alone keeps it (`copia_previa`). 200 once it is not served any more, 202 where that takes longer than five seconds.',
  params: v.strictObject({ domain }),
  output: removalShape('SitioEliminado', {
    domain: told(v.string(), 'The site.', 'ejemplo.es'),
    copia_previa: copiaPrevia,
  }),
  statuses: [200, 202],
  errors: ['sitio_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose'],
  async run(ctx, { params }) {
    const [{ site, client }, brought, removed, around, facts] = await Promise.all([
      findSite(ctx.tx, ctx.actor, params.domain),
      broughtZone(ctx.tx, params.domain),
      namesOf(ctx.tx, params.domain),
      aroundFacts(ctx.tx, params.domain, []),
      removalFacts(ctx, ownerOfSite(ctx.tx, params.domain)),
    ])
    Object.assign(ctx.audit, { client: client.name, target: site.domain })
    requireChangeable(client, ctx.config.node)
    const zone = decideBroughtZone(brought)
    const staying = around.filter((one) => one.zone.id !== zone?.id)
    const records = decideGoneRecords(staying, { clientId: client.id, removed })
    const removal = {
      wanted: { kind: 'sitio' as const, name: site.domain, siteId: site.id },
      job: siteJob(client, { kind: 'sitio.eliminar', domain: site.domain }),
      isLeaving: site.state === 'eliminando',
    }
    const isCopyable = site.state === 'activo' || removal.isLeaving
    const { queries, copied } = queueRemovalCopied(ctx, isCopyable ? facts : undefined, removal)
    if (copied === 'limite') ctx.audit.detail = { copia_previa: copied }
    ctx.tx.later(...queueLeaving(ctx, site), ...queries, ...queueNameRecords(ctx, client, records))
    if (zone) retireZone(ctx, client, zone)
    return accepted({ domain: site.domain, ...toldCopy(copied), estado: 'eliminando' as const })
  },
  async settled({ tx }, { params }, answer) {
    const row = await tx.select({ id: sites.id }).from(sites).where(eq(sites.domain, params.domain)).get()
    if (row) return answer
    const { copia_previa = null } = answer.body
    return ok({ domain: params.domain, ...toldCopy(copia_previa), eliminado: true as const })
  },
})
