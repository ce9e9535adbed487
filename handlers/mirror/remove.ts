import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { domain } from '../../lib/fields.ts'
import { accepted, allow, handler, ok } from '../../lib/handler.ts'
import { retire } from '../../lib/mirror/sweep.ts'
import { mirrorShape, mirrorView } from '../../lib/mirror/view.ts'
import { findMirrorableZone, mirrorReading, requireOwnNode } from '../../lib/mirror/zones.ts'
import { mapped, readNow } from '../../lib/reading.ts'
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
  async run(ctx, { params }) {
    const mirror = () => readNow(ctx.tx, mirrorReading(ctx.tx, params.zona))
    await ctx.tx.ahead(() => findMirrorableZone(ctx.tx, ctx.actor, params.zona), mirror)
    const zone = await findMirrorableZone(ctx.tx, ctx.actor, params.zona)
    requireOwnNode(ctx, zone)
    Object.assign(ctx.audit, { client: zone.client.name, target: zone.name })
    const { row: before } = await mirror()
    const over = before.state === 'retirada' || before.state === 'retirando'
    const left = over
      ? Number(before.state === 'retirando')
      : await retire(ctx.tx, eq(mirrors.zone, zone.name), 'desactivada', ctx.now())
    const view = mapped(mirrorReading(ctx.tx, zone.name), mirrorView)
    return left === 0 ? ok(view) : accepted(view)
  },
})
