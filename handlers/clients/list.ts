import { sql } from 'drizzle-orm'
import * as v from 'valibot'
import { listClients } from '../../lib/clients/listing.ts'
import { clientShape } from '../../lib/clients/shapes.ts'
import { clientView } from '../../lib/clients/view.ts'
import { countedPage, orden, orderedQuery, plan, referencia, text, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf } from '../../lib/endpoint/page.ts'
import { cursorAt, orderOf, placeOf } from '../../lib/store/order.ts'
import { clients, plans, usage } from '../../schema/tables.ts'

const COLUMNS = {
  cliente: clients.name,
  nombre: sql`coalesce(lower(${clients.displayName}), '')`,
  correo: sql`coalesce(lower(${clients.email}), '')`,
  plan: sql`coalesce((select lower(${plans.name}) from ${plans} where ${plans.id} = ${clients.planId}), '')`,
  estado: clients.state,
  disco: sql`coalesce((select ${usage.diskBytes} from ${usage} where ${usage.clientId} = ${clients.id}), -1)`,
  creado: clients.createdAt,
}

export default handler({
  method: 'GET',
  path: '/clientes',
  access: allow('token', 'admin'),
  summary: 'List clients',
  description:
    '`buscar` is any part of the client name, the name for people, the e-mail address, the reference or a domain of its sites, without regard to case and accents; with fewer than three characters it is the start of the client name, the address or a domain.',
  query: v.strictObject({
    ...orderedQuery,
    orden: orden('cliente', 'nombre', 'correo', 'plan', 'estado', 'disco', 'creado'),
    buscar: v.optional(told(text(254), 'A part of its names, addresses, reference or domains.', 'acme')),
    estado: v.optional(told(clientShape.entries.estado, 'Only those in this state.')),
    plan: v.optional(told(plan, 'Only those with this plan.')),
    referencia: v.optional(told(referencia, 'Only the one with this reference.')),
  }),
  output: countedPage(clientShape),
  errors: ['cursor_invalido'],
  async run({ tx }, { query }) {
    const { desde, limite } = query
    const order = orderOf(COLUMNS, clients.name, query.orden)
    const { rows, total } = await listClients(tx, {
      search: query.buscar,
      filters: { state: query.estado, plan: query.plan, reference: query.referencia },
      order: { ...order, name: query.orden ?? '' },
      place: desde === undefined ? undefined : placeOf(order, desde),
      limit: limite + 1,
      counted: query.contar !== undefined,
    })
    const next = ({ name, sort }: (typeof rows)[number]) => cursorAt(order, { value: sort, key: name })
    return ok({ ...pageOf(rows, limite, next, clientView), ...(total === undefined ? {} : { total }) })
  },
})
