import { and, eq } from 'drizzle-orm'
import * as v from 'valibot'
import type { Ctx } from '../../lib/endpoint/context.ts'
import { domain } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { queueRetire, toRemove } from '../../lib/mirror/sweep.ts'
import { mirrorShape } from '../../lib/mirror/view.ts'
import { mirrorAnswer, mirrorableZone, mirrorReading, requireOwnNode } from '../../lib/mirror/zones.ts'
import { both, mapped, reading, readNow } from '../../lib/store/reading.ts'
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
    const [zone, left] = await readNow(ctx.tx, retireFacts(ctx, params.zona))
    requireOwnNode(ctx, zone)
    Object.assign(ctx.audit, { client: zone.client.name, target: zone.name })
    const why = { reason: 'desactivada', now: ctx.now() }
    ctx.tx.later(...queueRetire(ctx.tx, eq(mirrors.zone, zone.name), why))
    const view = mirrorAnswer(ctx, zone.name)
    return left ? accepted(view) : ok(view)
  },
})

/** The zone, and whether its mirror has a copy at the provider; 404 if the zone or the mirror does not exist. */
function retireFacts({ tx, actor, now }: Pick<Ctx, 'tx' | 'actor' | 'now'>, name: string) {
  const copy = tx
    .select({ zone: mirrors.zone })
    .from(mirrors)
    .where(and(eq(mirrors.zone, name), toRemove))
  const found = both(mirrorableZone(tx, actor, name), mirrorReading(tx, name, now()))
  const whole = both(
    found,
    reading(copy, (rows) => rows.length > 0),
  )
  return mapped(whole, ([[zone], left]) => [zone, left] as const)
}
