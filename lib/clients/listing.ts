import { and, eq, gte, inArray, lt, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { clients, plans, siteNames } from '../../schema/tables.ts'
import { prefixEnd } from '../endpoint/page.ts'
import type { Db } from '../store/database.ts'
import { after, type Order, ordered, type Place } from '../store/order.ts'
import { prepared } from '../store/prepared.ts'
import { idsWith, nameHas, phraseOf, trigramsOf } from '../store/search.ts'
import { namePart } from '../text/host-names.ts'
import { selectClients } from './view.ts'

type Wanted = {
  /** Any part of what a client is known by, or the start of it. */
  search: string | undefined
  filters: Partial<Record<'state' | 'plan' | 'reference', string | undefined>>
  /** With the name that it was asked for by. */
  order: Order & { name: string }
  place: Place | undefined
  limit: number
  counted: boolean
}

/** The rows of a page, and how many the filters leave, in one round trip. */
export async function listClients(db: Db, { search, filters, order, place, limit, counted }: Wanted) {
  const values = { ...searchValues(search), ...filters }
  const asked = Object.entries(values).filter(([, value]) => value !== undefined)
  const names = asked.map(([name]) => name as Filter) // The entries are of that very object.
  const continued = place !== undefined
  const page = `clients:${order.name}:${continued}:${names.join()}`
  const [rows, count] = await Promise.all([
    prepared(db, page, () => pageQuery(db, { names, order, continued })).all({ ...values, ...place, limit }),
    counted ? prepared(db, `clients:${names.join()}`, () => countQuery(db, names)).get(values) : undefined,
  ])
  return { rows, total: count?.total }
}

/** Any part of a text, by the index, or the start of one that is too short for it. */
function searchValues(search: string | undefined) {
  if (search === undefined) return {}
  const part = phraseOf(search)
  if (part !== null) {
    const namesPart = namePart(search.toLowerCase())
    return { part, namesPart, trigrams: trigramsOf(namesPart) }
  }
  const start = search.toLowerCase()
  return { start, startEnd: prefixEnd(start) }
}

const given = sql.placeholder
const startsSo = (column: SQLWrapper) =>
  and(gte(sql`${column}`, given('start')), lt(sql`${column}`, given('startEnd')))

const NOTHING_MORE = () => undefined
const CONDITIONS = {
  part: (db: Db) =>
    or(
      inArray(clients.id, idsWith('client_search', given('part'))),
      inArray(
        clients.id,
        db
          .select({ id: siteNames.clientId })
          .from(siteNames)
          .where(nameHas(db, { trigrams: given('trigrams'), part: given('namesPart') })),
      ),
    ),
  namesPart: NOTHING_MORE,
  trigrams: NOTHING_MORE,
  start: (db: Db) =>
    or(
      startsSo(clients.name),
      startsSo(sql`lower(${clients.email})`),
      inArray(
        clients.id,
        db.select({ id: siteNames.clientId }).from(siteNames).where(startsSo(siteNames.name)),
      ),
    ),
  startEnd: NOTHING_MORE,
  state: () => eq(clients.state, given('state')),
  plan: (db: Db) =>
    eq(
      clients.planId,
      db
        .select({ id: plans.id })
        .from(plans)
        .where(eq(plans.name, given('plan'))),
    ),
  reference: () => eq(clients.reference, given('reference')),
}
type Filter = keyof typeof CONDITIONS

const fitting = (db: Db, names: Filter[]): SQL | undefined =>
  and(...names.map((name) => CONDITIONS[name](db)))

/** The ids of the page first: what is told of a client is then only looked up for those that are shown. */
function pageQuery(
  db: Db,
  { names, order, continued }: { names: Filter[]; order: Order; continued: boolean },
) {
  const behind = continued ? after(order, { value: given('value'), key: given('key') }) : undefined
  const ids = db
    .select({ id: clients.id })
    .from(clients)
    .where(and(fitting(db, names), behind))
    .orderBy(...ordered(order))
    .limit(given('limit'))
  return selectClients(db, sql`${order.by}`)
    .where(inArray(clients.id, ids))
    .orderBy(...ordered(order))
    .prepare()
}

const countQuery = (db: Db, names: Filter[]) =>
  db.select({ total: sql<number>`count(*)` }).from(clients).where(fitting(db, names)).prepare()
