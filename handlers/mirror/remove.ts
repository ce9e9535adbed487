import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { domain } from '../../lib/fields.ts'
import { accepted, allow, handler, ok } from '../../lib/handler.ts'
import { retire } from '../../lib/mirror/sweep.ts'
import { mirrorShape } from '../../lib/mirror/view.ts'
import { mirrorAnswer, mirrorableZone, mirrorReading, requireOwnNode } from '../../lib/mirror/zones.ts'
import { both, readNow } from '../../lib/reading.ts'
import { mirrors } from '../../schema/tables.ts'

export default handler({
  method: 'DELETE',
  path: '/zonas/:zona/espejo',
  access: allow('token', 'admin'),
  summary: 'End the mirror of a zone and remove its copy at the provider',
  description: 'What another hand made at the provider under the name of ours is left alone.',
  params: v.strictObject({ zona: domain }),
  output: mirrorShape,
  statuses: [200, 202],
  errors: ['zona_no_existe', 'espejo_no_existe', 'cliente_en_otro_nodo'],
  async run(ctx, { params }) {
    const seen = both(
      mirrorableZone(ctx.tx, ctx.actor, params.zona),
      mirrorReading(ctx.tx, params.zona, ctx.now()),
    )
    // Side by side: where there is no such zone or mirror, the refusal undoes the rest.
    const [[zone, { row }], left] = await Promise.all([
      readNow(ctx.tx, seen),
      retire(ctx.tx, eq(mirrors.zone, params.zona), 'desactivada', ctx.now()),
    ])
    requireOwnNode(ctx, zone)
    Object.assign(ctx.audit, { client: zone.client.name, target: zone.name })
    const view = mirrorAnswer(ctx, zone.name)
    return left > 0 || row.state === 'retirando' ? accepted(view) : ok(view)
  },
})
