import { asc, gt } from 'drizzle-orm'
import * as v from 'valibot'
import { page, pageQuery } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf, placeAt } from '../../lib/endpoint/page.ts'
import { eventShape } from '../../lib/events/shapes.ts'
import { eventKey, eventView } from '../../lib/events/view.ts'
import { events } from '../../schema/tables.ts'

export default handler({
  method: 'GET',
  path: '/eventos',
  access: allow('token', 'admin'),
  summary: 'What has happened, oldest first',
  description:
    'To follow it, ask again with `desde` set to the `evento` that you have seen last, also after the last page: no event ever appears below one that was told. Kept for 90 days.',
  query: v.strictObject(pageQuery),
  output: page(eventShape),
  errors: ['cursor_invalido'],
  async run({ tx }, { query: { desde, limite } }) {
    const place = placeAt(desde)
    const rows = await tx
      .select()
      .from(events)
      .where(place === undefined ? undefined : gt(events.id, place))
      .orderBy(asc(events.id))
      .limit(limite + 1)
    return ok(pageOf(rows, limite, eventKey, eventView))
  },
})
