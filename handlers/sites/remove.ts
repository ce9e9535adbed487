import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { clientSubject, requireHere } from '../../lib/clients.ts'
import { removeSiteZone } from '../../lib/dns/new-zone.ts'
import { domain, told } from '../../lib/fields.ts'
import { accepted, allow, handler, ok } from '../../lib/handler.ts'
import { enqueueAndWait } from '../../lib/jobs.ts'
import { removalShape } from '../../lib/shapes.ts'
import { findSite } from '../../lib/sites.ts'
import { sites } from '../../schema/tables.ts'

export default handler({
  method: 'DELETE',
  path: '/sitios/:domain',
  access: allow('token', 'admin', 'client'),
  summary: 'Delete a site',
  description: '200 once it is not served any more, 202 where that takes longer than five seconds.',
  params: v.strictObject({ domain }),
  output: removalShape('SitioEliminado', { domain: told(v.string(), 'The site.', 'ejemplo.es') }),
  statuses: [200, 202],
  errors: ['sitio_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose'],
  async run(ctx, { params }) {
    const { site, client } = await findSite(ctx.tx, ctx.actor, params.domain)
    Object.assign(ctx.audit, { client: client.name, target: site.domain })
    requireHere(ctx, client)
    ctx.tx.later(ctx.tx.update(sites).set({ state: 'eliminando' }).where(eq(sites.id, site.id)))
    enqueueAndWait(ctx, {
      kind: 'sitio.eliminar',
      node: client.node,
      subject: clientSubject(client),
      target: site.domain,
      client: client.name,
    })
    await removeSiteZone(ctx, client, site)
    return accepted({ domain: site.domain, estado: 'eliminando' as const })
  },
  async settled({ tx }, { params }, answer) {
    const row = await tx.select({ id: sites.id }).from(sites).where(eq(sites.domain, params.domain)).get()
    return row ? answer : ok({ domain: params.domain, eliminado: true as const })
  },
})
