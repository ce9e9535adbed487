import { and, asc, eq, gt, gte, lt, or, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { clientShape } from '../../lib/clients/shapes.ts'
import { clientView, selectClients } from '../../lib/clients/view.ts'
import { page, pageQuery, plan, referencia, text, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf, prefixEnd } from '../../lib/endpoint/page.ts'
import type { Db } from '../../lib/store/database.ts'
import { prepared } from '../../lib/store/prepared.ts'
import { clients, plans } from '../../schema/tables.ts'

export default handler({
  method: 'GET',
  path: '/clientes',
  access: allow('token', 'admin'),
  summary: 'List clients',
  description: '`buscar` is a prefix of the client name or of the e-mail address.',
  query: v.strictObject({
    ...pageQuery,
    buscar: v.optional(told(text(254), 'The start of the name or of the e-mail address.')),
    estado: v.optional(told(clientShape.entries.estado, 'Only those in this state.')),
    plan: v.optional(told(plan, 'Only those with this plan.')),
    referencia: v.optional(told(referencia, 'Only the one with this reference.')),
  }),
  output: page(clientShape),
  async run({ tx }, { query }) {
    const { desde, limite, buscar, estado, plan, referencia } = query
    const filters = { desde, buscar, estado, plan, referencia }
    const given = Object.entries(filters).filter(([, value]) => value !== undefined)
    const names = given.map(([name]) => name as keyof typeof filters) // The entries are of that very object.
    const rows = await prepared(tx, `clients:${names.join()}`, () => listQuery(tx, names)).all({
      ...filters,
      prefix: buscar?.toLowerCase(),
      prefixEnd: prefixEnd(buscar?.toLowerCase() ?? ''),
      limite: limite + 1,
    })
    return ok(pageOf(rows, limite, ({ name }) => name, clientView))
  },
})

const given = sql.placeholder

const CONDITIONS = {
  desde: () => gt(clients.name, given('desde')),
  buscar: () =>
    or(
      and(gte(clients.name, given('prefix')), lt(clients.name, given('prefixEnd'))),
      and(
        gte(sql`lower(${clients.email})`, given('prefix')),
        lt(sql`lower(${clients.email})`, given('prefixEnd')),
      ),
    ),
  estado: () => eq(clients.state, given('estado')),
  plan: () => eq(plans.name, given('plan')),
  referencia: () => eq(clients.reference, given('referencia')),
}

function listQuery(db: Db, filters: (keyof typeof CONDITIONS)[]) {
  return selectClients(db)
    .where(and(...filters.map((name) => CONDITIONS[name]())))
    .orderBy(asc(clients.name))
    .limit(given('limite'))
    .prepare()
}
