import { and, eq, gte, inArray, lt, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { visibleTo } from '../../lib/clients/clients.ts'
import { cliente, countedPage, orden, orderedQuery, text, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf, prefixEnd } from '../../lib/endpoint/page.ts'
import { siteShape } from '../../lib/sites/shapes.ts'
import { selectSites, siteView } from '../../lib/sites/view.ts'
import type { Db } from '../../lib/store/database.ts'
import { after, cursorAt, ordered, orderOf, placeOf } from '../../lib/store/order.ts'
import { nameHas, phraseOf, trigramsOf } from '../../lib/store/search.ts'
import { namePart } from '../../lib/text/host-names.ts'
import { clients, siteNames, sites } from '../../schema/tables.ts'

const COLUMNS = {
  domain: sites.domain,
  cliente: clients.name,
  estado: sites.state,
  https: sql`${sites.certificateState} || coalesce(${sites.certificateExpiresAt}, '')`,
  php: sql`coalesce(${sites.php}, '')`,
  creado: sites.createdAt,
}

export default handler({
  method: 'GET',
  path: '/sitios',
  access: allow('token', 'admin', 'client'),
  summary: 'List sites',
  description:
    '`buscar` is any part of a name of the site, aliases included; with fewer than three characters it is the start of its domain.',
  query: v.strictObject({
    ...orderedQuery,
    orden: orden('domain', 'cliente', 'estado', 'https', 'php', 'creado'),
    buscar: v.optional(told(text(253), 'A part of one of its names.', 'ejemplo')),
    cliente: v.optional(cliente),
    estado: v.optional(told(siteShape.entries.estado, 'Only those in this state.')),
  }),
  output: countedPage(siteShape),
  errors: ['cursor_invalido'],
  async run({ tx, actor, driver, request }, { query }) {
    const { desde, limite, buscar, cliente, estado } = query
    const order = orderOf(COLUMNS, sites.domain, query.orden)
    const fitting = and(
      visibleTo(actor),
      buscar === undefined ? undefined : named(tx, buscar),
      cliente === undefined ? undefined : eq(clients.name, cliente),
      estado && eq(sites.state, estado),
    )
    const ids = tx
      .select({ id: sites.id })
      .from(sites)
      .innerJoin(clients, eq(clients.id, sites.clientId))
      .where(and(fitting, desde === undefined ? undefined : after(order, placeOf(order, desde))))
      .orderBy(...ordered(order))
      .limit(limite + 1)
    const counting = tx
      .select({ total: sql<number>`count(*)` })
      .from(sites)
      .innerJoin(clients, eq(clients.id, sites.clientId))
      .where(fitting)
    const [rows, counted] = await Promise.all([
      selectSites(tx, sql`${order.by}`)
        .where(inArray(sites.id, ids))
        .orderBy(...ordered(order)),
      query.contar && counting.get(),
    ])
    const next = ({ site, sort }: (typeof rows)[number]) => cursorAt(order, { value: sort, key: site.domain })
    const page = pageOf(rows, limite, next, (row) => siteView(row, actor, { driver, request }))
    return ok({ ...page, ...(counted ? { total: counted.total } : {}) })
  },
})

function named(tx: Db, searched: string) {
  const part = namePart(searched.toLowerCase())
  if (phraseOf(part) === null) return and(gte(sites.domain, part), lt(sites.domain, prefixEnd(part)))
  const has = nameHas(tx, { trigrams: trigramsOf(part), part })
  return inArray(sites.id, tx.select({ id: siteNames.siteId }).from(siteNames).where(has))
}
