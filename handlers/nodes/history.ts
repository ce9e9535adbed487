import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { AppError } from '../../lib/endpoint/errors.ts'
import { date, nodo, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { nodeHistory } from '../../lib/usage/node-view.ts'
import { nodeHistoryShape } from '../../lib/usage/shapes.ts'
import { nodes } from '../../schema/tables.ts'

const DAY_MS = 86_400_000

export default handler({
  method: 'GET',
  path: '/nodos/:nodo/historial',
  access: allow('token', 'admin'),
  summary: "A node's processors, memory, disk and traffic over time",
  description:
    'Both days included; the last two days where none are given, at most 400. It is measured four times an hour, and kept for 400 days.',
  params: v.strictObject({ nodo }),
  query: v.strictObject({
    dia_desde: v.optional(told(date, 'The first day.', '2026-11-01')),
    dia_hasta: v.optional(told(date, 'The last day; today where it is left out.', '2026-11-21')),
  }),
  output: nodeHistoryShape,
  errors: ['nodo_no_existe'],
  async run({ tx, now }, { params, query }) {
    const until = query.dia_hasta ?? now().toISOString().slice(0, 10)
    const from = query.dia_desde ?? new Date(Date.parse(until) - DAY_MS).toISOString().slice(0, 10)
    const [known, history] = await Promise.all([
      tx.select({ name: nodes.name }).from(nodes).where(eq(nodes.name, params.nodo)).get(),
      nodeHistory(tx, params.nodo, { from, until }),
    ])
    if (!known) throw new AppError('nodo_no_existe')
    return ok(history)
  },
})
