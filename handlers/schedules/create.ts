import * as v from 'valibot'
import { domain } from '../../lib/endpoint/fields.ts'
import { allow, created, handler } from '../../lib/endpoint/handler.ts'
import { roomFacts } from '../../lib/plans/room.ts'
import { decideSchedule } from '../../lib/schedules/decide.ts'
import { activa, cuando, orden, scheduleShape } from '../../lib/schedules/shapes.ts'
import { scheduleReading } from '../../lib/schedules/view.ts'
import { ownerOf, siteToChange } from '../../lib/sites/facts.ts'
import { ulid } from '../../lib/store/ids.ts'
import { schedules } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/sitios/:domain/programadas',
  access: allow('token', 'admin', 'client'),
  summary: 'Have a program run for a site by the clock',
  description:
    "It runs as the client, in its confinement and limits, with network, for an hour at most, in the site's folder (`/sitios/<domain>`), and never beside itself. A client has a hundred at most where its plan does not say how many. The last thirty runs are kept with what they said, of all a client's tasks together its newest 4 MiB; the first failure in a row is mailed to the client, at most five an hour. Nothing of a suspended client runs.",
  params: v.strictObject({ domain }),
  body: v.strictObject({ cuando, orden, activa: v.optional(activa) }),
  output: scheduleShape,
  statuses: [201],
  errors: [
    'sitio_no_existe',
    'cliente_en_otro_nodo',
    'cliente_eliminandose',
    'funcion_de_pago',
    'limite_del_plan',
  ],
  async run(ctx, { params, body }) {
    const { tx } = ctx
    const now = ctx.now()
    const [{ site, client }, room] = await Promise.all([
      siteToChange(ctx, params.domain),
      roomFacts(ctx, ownerOf(tx, params.domain)),
    ])
    const wanted = { pattern: body.cuando, argv: body.orden, active: body.activa ?? true }
    const turn = decideSchedule(room, wanted, now)
    const id = `pro_${ulid(now, ctx.random)}`
    tx.later(
      tx
        .insert(schedules)
        .values({ id, siteId: site.id, clientId: client.id, ...wanted, ...turn, createdAt: now }),
    )
    return created(
      scheduleReading(ctx, { domain: site.domain, id }),
      `/sitios/${site.domain}/programadas/${id}`,
    )
  },
})
