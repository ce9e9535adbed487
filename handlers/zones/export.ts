import * as v from 'valibot'
import { serializeZone } from '../../lib/dns/zonefile.ts'
import { desiredZone, etagOf, findZone, recordsOf } from '../../lib/dns/zones.ts'
import { domain } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'

export default handler({
  method: 'GET',
  path: '/zonas/:zona/exportar',
  access: allow('token', 'admin', 'client'),
  summary: 'Export a zone as a zone file',
  params: v.strictObject({ zona: domain }),
  produces: 'text/dns',
  etag: true,
  output: v.string(),
  errors: ['zona_no_existe'],
  async run({ tx, actor }, { params }) {
    const { zone } = await findZone(tx, actor, params.zona)
    const records = await recordsOf(tx, zone.id)
    return ok(serializeZone(desiredZone(zone, records)), { etag: etagOf(zone) })
  },
})
