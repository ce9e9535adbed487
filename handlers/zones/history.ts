import * as v from 'valibot'
import { changesReading } from '../../lib/dns/history/changes.ts'
import { zoneChangeShape } from '../../lib/dns/history/shapes.ts'
import { changeView } from '../../lib/dns/history/view.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { domain, page, pageQuery } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf, placeAt } from '../../lib/endpoint/page.ts'
import { readNow } from '../../lib/store/reading.ts'

export default handler({
  method: 'GET',
  path: '/zonas/:zona/historial',
  access: allow('token', 'admin', 'client'),
  summary: 'The changes of a zone, newest first',
  description:
    'Whoever made them, the panel included. The last 100 are kept, fewer where they are large: 16 MiB of contents. `GET …/exportar?cambio=` gives the zone as one of them left it.',
  params: v.strictObject({ zona: domain }),
  query: v.strictObject(pageQuery),
  output: page(zoneChangeShape),
  errors: ['zona_no_existe', 'cursor_invalido'],
  async run(ctx, { params, query: { desde, limite } }) {
    const place = { before: placeAt(desde), limit: limite + 1 }
    const { exists, changes, sets } = await readNow(ctx.tx, changesReading(ctx, params.zona, place))
    if (!exists) throw new AppError('zona_no_existe')
    return ok(
      pageOf(
        changes,
        limite,
        ({ id }) => String(id),
        (change) => changeView(change, sets, ctx.actor),
      ),
    )
  },
})
