import * as v from 'valibot'
import { zoneRecordsShape } from '../../lib/dns/shapes.ts'
import { etagOf, findZone, recordsOf, rrsetView } from '../../lib/dns/zones.ts'
import { domain } from '../../lib/fields.ts'
import { allow, handler, ok } from '../../lib/handler.ts'

export default handler({
  method: 'GET',
  path: '/zonas/:zona/registros',
  access: allow('token', 'admin', 'client'),
  summary: 'List the records of a zone',
  description:
    'All of them, without the SOA, which the panel keeps. The `ETag` goes into `If-Match` of a change.',
  params: v.strictObject({ zona: domain }),
  output: zoneRecordsShape,
  async run({ tx, actor }, { params }) {
    const { zone } = await findZone(tx, actor, params.zona)
    const records = await recordsOf(tx, zone.id)
    const body = { zona: zone.name, serie: zone.serial, datos: records.map(rrsetView) }
    return ok(body, { etag: etagOf(zone) })
  },
})
