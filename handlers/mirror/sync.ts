import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { AppError } from '../../lib/endpoint/errors.ts'
import { count, domain, named, timestamp, told } from '../../lib/endpoint/fields.ts'
import { accepted, allow, handler } from '../../lib/endpoint/handler.ts'
import { wireTime } from '../../lib/endpoint/page.ts'
import { estimatedTurn, isRunnable, mirrorWish } from '../../lib/mirror/queue.ts'
import { mirrorNamed } from '../../lib/mirror/view.ts'
import { mirrorableZone, mirrorReading, requireOwnNode } from '../../lib/mirror/zones.ts'
import { both, mapped, reading, readNow } from '../../lib/store/reading.ts'
import { dnsAccounts } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/zonas/:zona/espejo/sincronizar',
  access: allow('token', 'admin'),
  summary: 'Queue a mirrored zone now',
  description:
    'The queue does about one zone a minute: what people ask for and removals first, then zones that were dropped, then the daily comparisons, of which there is one at least in ten turns. A zone that was asked for already keeps its place.',
  params: v.strictObject({ zona: domain }),
  output: named(
    'EspejoEnCola',
    'A place in the queue of mirrored zones.',
    v.strictObject({
      estado: told(v.literal('en_cola'), 'It waits.', 'en_cola'),
      posicion: told(count, 'Its place; 1 is next.', 1),
      estimado: told(timestamp, 'When its turn is likely.', '2026-11-21T09:31:00.000Z'),
    }),
  ),
  statuses: [202],
  errors: ['zona_no_existe', 'espejo_no_existe', 'espejo_no_activo', 'cliente_en_otro_nodo'],
  async run(ctx, { params }) {
    const now = ctx.now()
    const facts = both(mirrorableZone(ctx.tx, ctx.actor, params.zona), mirrorNamed(ctx.tx, params.zona, now))
    const [zone, mirror] = await readNow(ctx.tx, facts)
    requireOwnNode(ctx, zone)
    Object.assign(ctx.audit, { client: zone.client.name, target: zone.name })
    if (!mirror) throw new AppError('espejo_no_existe')
    if (!isRunnable(mirror.row.state)) throw new AppError('espejo_no_activo', { estado: mirror.row.state })
    ctx.tx.later(mirrorWish(ctx.tx, { zone: zone.name }, now))
    const account = ctx.tx.select().from(dnsAccounts).where(eq(dnsAccounts.node, zone.node))
    const queued = both(
      mirrorReading(ctx.tx, zone.name, now),
      reading(account, ([found]) => found),
    )
    return accepted(
      mapped(queued, ([{ place }, found]) => {
        const posicion = place ?? 1
        const estimado = wireTime(estimatedTurn(found, posicion, now))
        return { estado: 'en_cola' as const, posicion, estimado }
      }),
    )
  },
})
