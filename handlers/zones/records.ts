import * as v from 'valibot'
import { zoneRecordsShape } from '../../lib/dns/shapes.ts'
import { etagOf, rrsetView, zoneWithRecords } from '../../lib/dns/zones.ts'
import { domain } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { readNow } from '../../lib/store/reading.ts'

export default handler({
  method: 'GET',
  path: '/zonas/:zona/registros',
  access: allow('token', 'admin', 'client'),
  summary: 'List the records of a zone',
  description:
    'All of them, without the SOA, which the panel keeps. The `ETag` goes into `If-Match` of a change.',
  params: v.strictObject({ zona: domain }),
  etag: true,
  output: zoneRecordsShape,
  errors: ['zona_no_existe'],
  async run(ctx, { params }) {
    const { zone, records } = await readNow(ctx.tx, zoneWithRecords(ctx, params.zona))
    const body = { zona: zone.name, serie: zone.serial, datos: records.map(rrsetView) }
    return ok(body, { etag: etagOf(zone) })
  },
})
