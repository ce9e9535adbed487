import { and, eq, gte, inArray, lt, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { visibleTo } from '../../lib/clients/clients.ts'
import { zoneShape } from '../../lib/dns/shapes.ts'
import { selectZones, zoneView } from '../../lib/dns/zones.ts'
import { cliente, countedPage, orden, orderedQuery, text, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf, prefixEnd } from '../../lib/endpoint/page.ts'
import { after, cursorAt, ordered, orderOf, placeOf } from '../../lib/store/order.ts'
import { idsWith, phraseOf } from '../../lib/store/search.ts'
import { namePart } from '../../lib/text/host-names.ts'
import { clients, zones } from '../../schema/tables.ts'

const COLUMNS = {
  zona: zones.name,
  cliente: clients.name,
  serie: zones.serial,
  dnssec: zones.dnssec,
  creado: zones.createdAt,
}

export default handler({
  method: 'GET',
  path: '/zonas',
  access: allow('token', 'admin', 'client'),
  summary: 'List DNS zones',
  description: '`buscar` is any part of the name; with fewer than three characters it is the start of it.',
  query: v.strictObject({
    ...orderedQuery,
    orden: orden('zona', 'cliente', 'serie', 'dnssec', 'creado'),
    buscar: v.optional(told(text(253), 'A part of the name.', 'ejemplo')),
    cliente: v.optional(cliente),
  }),
  output: countedPage(zoneShape),
  errors: ['cursor_invalido'],
  async run({ tx, actor, now, request }, { query }) {
    const { desde, limite, buscar, cliente } = query
    const order = orderOf(COLUMNS, zones.name, query.orden)
    const fitting = and(
      visibleTo(actor),
      eq(zones.state, 'activa'),
      buscar === undefined ? undefined : named(buscar),
      cliente === undefined ? undefined : eq(clients.name, cliente),
    )
    const ids = tx
      .select({ id: zones.id })
      .from(zones)
      .innerJoin(clients, eq(clients.id, zones.clientId))
      .where(and(fitting, desde === undefined ? undefined : after(order, placeOf(order, desde))))
      .orderBy(...ordered(order))
      .limit(limite + 1)
    const counting = tx
      .select({ total: sql<number>`count(*)` })
      .from(zones)
      .innerJoin(clients, eq(clients.id, zones.clientId))
      .where(fitting)
    const [rows, counted] = await Promise.all([
      selectZones(tx, now(), sql`${order.by}`)
        .where(inArray(zones.id, ids))
        .orderBy(...ordered(order)),
      query.contar && counting.get(),
    ])
    const next = ({ zone, sort }: (typeof rows)[number]) => cursorAt(order, { value: sort, key: zone.name })
    const page = pageOf(rows, limite, next, (row) => zoneView(row, request.language))
    return ok({ ...page, ...(counted ? { total: counted.total } : {}) })
  },
})

function named(searched: string) {
  const part = namePart(searched.toLowerCase())
  const phrase = phraseOf(part)
  return phrase === null
    ? and(gte(zones.name, part), lt(zones.name, prefixEnd(part)))
    : inArray(zones.id, idsWith('zone_search', phrase))
}
