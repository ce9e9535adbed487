import * as v from 'valibot'
import { AppError } from '../../lib/errors.ts'
import { count, domain, timestamp } from '../../lib/fields.ts'
import { accepted, allow, handler } from '../../lib/handler.ts'
import { enqueueMirror, estimatedTurn, isRunnable } from '../../lib/mirror/queue.ts'
import { findMirrorableZone, mirrorOf, requireOwnNode } from '../../lib/mirror/zones.ts'
import { wireTime } from '../../lib/page.ts'

export default handler({
  method: 'POST',
  path: '/zonas/:zona/espejo/sincronizar',
  access: allow('token', 'admin'),
  summary: 'Queue a mirrored zone now',
  description: 'The queue does about one zone a minute; a zone that waits already keeps its place.',
  params: v.strictObject({ zona: domain }),
  output: v.strictObject({ estado: v.literal('en_cola'), posicion: count, estimado: timestamp }),
  statuses: [202],
  async run(ctx, { params }) {
    const zone = await findMirrorableZone(ctx.tx, ctx.actor, params.zona)
    requireOwnNode(ctx, zone)
    Object.assign(ctx.audit, { client: zone.client.name, target: zone.name })
    const { row } = await mirrorOf(ctx.tx, zone)
    if (!isRunnable(row.state)) throw new AppError('espejo_no_activo', { estado: row.state })
    await enqueueMirror(ctx.tx, { zone: zone.name }, ctx.now())
    const posicion = (await mirrorOf(ctx.tx, zone)).place ?? 1
    const turn = await estimatedTurn(ctx.tx, zone.node, posicion, ctx.now())
    return accepted({ estado: 'en_cola' as const, posicion, estimado: wireTime(turn) })
  },
})
