import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { retireZone, zoneToChange } from '../../lib/dns/zones.ts'
import { domain, told } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { removalShape } from '../../lib/endpoint/shapes.ts'
import { zones } from '../../schema/tables.ts'

export default handler({
  method: 'DELETE',
  path: '/zonas/:zona',
  access: allow('token', 'admin', 'client'),
  summary: 'Delete a DNS zone',
  description: '200 once it is not answered any more, 202 where that takes longer than five seconds.',
  params: v.strictObject({ zona: domain }),
  output: removalShape('ZonaEliminada', { zona: told(v.string(), 'The zone.', 'ejemplo.es') }),
  statuses: [200, 202],
  errors: ['zona_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose'],
  async run(ctx, { params }) {
    const { zone, client } = await zoneToChange(ctx, params.zona)
    retireZone(ctx, client, zone)
    return accepted({ zona: zone.name, estado: 'eliminando' as const })
  },
  async settled({ tx }, { params }, answer) {
    const row = await tx.select({ id: zones.id }).from(zones).where(eq(zones.name, params.zona)).get()
    return row ? answer : ok({ zona: params.zona, eliminado: true as const })
  },
})
