import * as v from 'valibot'
import { recordsBefore, setsSinceReading } from '../../lib/dns/history/changes.ts'
import { serializeZone } from '../../lib/dns/zonefile/zonefile.ts'
import { desiredZone, etagOf, zoneWithRecords } from '../../lib/dns/zones.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { domain, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { both, readNow } from '../../lib/store/reading.ts'

export default handler({
  method: 'GET',
  path: '/zonas/:zona/exportar',
  access: allow('token', 'admin', 'client'),
  summary: 'Export a zone as a zone file',
  description: 'As it is, or as an earlier change left it. The `ETag` is always that of the zone as it is.',
  params: v.strictObject({ zona: domain }),
  query: v.strictObject({
    cambio: v.optional(
      told(
        v.pipe(v.string(), v.regex(/^[0-9]{1,15}$/, 'numero_invalido')),
        'A change of its history: the zone as that left it.',
        '12',
      ),
    ),
  }),
  produces: 'text/dns',
  etag: true,
  output: v.string(),
  errors: ['zona_no_existe', 'no_encontrado'],
  async run(ctx, { params, query }) {
    if (query.cambio === undefined) {
      const { zone, records } = await readNow(ctx.tx, zoneWithRecords(ctx, params.zona))
      return ok(serializeZone(desiredZone(zone, records)), { etag: etagOf(zone) })
    }
    const since = setsSinceReading(ctx, params.zona, Number(query.cambio))
    const [{ zone, records }, changed] = await readNow(ctx.tx, both(zoneWithRecords(ctx, params.zona), since))
    if (changed === null) throw new AppError('no_encontrado')
    return ok(serializeZone(desiredZone(zone, recordsBefore(records, changed))), { etag: etagOf(zone) })
  },
})
