import * as v from 'valibot'
import { requireStanding, requireUnexpired } from '../../lib/endpoint/access.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { domain, page } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { cursorOf, decideFilter } from '../../lib/logs/decide.ts'
import { logEvents } from '../../lib/logs/events.ts'
import { siteLogs } from '../../lib/logs/facts.ts'
import { logQuery, logRowShape } from '../../lib/logs/shapes.ts'
import { askedOf, logRowView } from '../../lib/logs/view.ts'

const access = allow('token', 'admin', 'client')

export default handler({
  method: 'GET',
  path: '/sitios/:domain/bitacora',
  access,
  summary: "A site's log, newest first: its visits, or what PHP said",
  description:
    'One look reads so much of a log and no more: with filters a page may have few rows or none and still have a `siguiente`. With `Accept: text/event-stream` the rows come as they are written: `event: fila`, the row as `data`, its place as `id` (`Last-Event-ID` goes on after it), and a comment every 15 seconds; it ends when the caller may read it no longer. Addresses are those that connected. The files themselves are in the folder `registros` of the site, to be read by SFTP.',
  params: v.strictObject({ domain }),
  query: logQuery,
  whileSuspended: true,
  output: page(logRowShape),
  errors: [
    'sitio_no_existe',
    'cliente_suspendido',
    'cliente_en_otro_nodo',
    'no_disponible',
    'cursor_invalido',
    'espera',
  ],
  async run(ctx, { params, query }) {
    const { filter, before } = decideFilter(askedOf(query), ctx.request.language)
    const { logs, at } = await siteLogs(ctx, ctx.tx, { domain: params.domain, kind: query.tipo })
    const found = await logs.page(at, { filter, before, limit: query.limite })
    if (found === null) throw new AppError('cursor_invalido')
    return ok({
      datos: found.rows.map(({ row }) => logRowView(row)),
      siguiente: found.next === null ? null : cursorOf(found.next, filter.from),
    })
  },
  async follow(ctx, { params, query }) {
    const { filter } = decideFilter(askedOf(query), ctx.request.language)
    const of = { domain: params.domain, kind: query.tipo }
    const { logs, at } = await siteLogs(ctx, ctx.tx, of)
    const after = ctx.request.headers.get('last-event-id')
    const rows = logs.follow(at, { filter, after })
    const first = await rows.next()
    return logEvents(rows, first.done ? [] : first.value, async () => {
      requireUnexpired(ctx.actor, ctx.now())
      await Promise.all([
        requireStanding(ctx.db.read, { access, method: 'GET', whileSuspended: true }, ctx.actor),
        siteLogs(ctx, ctx.db.read, of),
      ])
    })
  },
})
