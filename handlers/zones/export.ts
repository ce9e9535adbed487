import * as v from 'valibot'
import { serializeZone } from '../../lib/dns/zonefile/zonefile.ts'
import { desiredZone, etagOf, zoneWithRecords } from '../../lib/dns/zones.ts'
import { domain } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { readNow } from '../../lib/store/reading.ts'

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
  async run(ctx, { params }) {
    const { zone, records } = await readNow(ctx.tx, zoneWithRecords(ctx, params.zona))
    return ok(serializeZone(desiredZone(zone, records)), { etag: etagOf(zone) })
  },
})
