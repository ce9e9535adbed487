import { and, asc, eq, gte, lte } from 'drizzle-orm'
import * as v from 'valibot'
import { findClient } from '../../lib/clients/clients.ts'
import { cliente, date, named, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { usageDayShape } from '../../lib/usage/shapes.ts'
import { usageDays } from '../../schema/tables.ts'

export default handler({
  method: 'GET',
  path: '/clientes/:cliente/uso/historial',
  access: allow('token', 'admin', 'client'),
  whileSuspended: true,
  summary: 'Consumption by day',
  description: 'Both days included; the last 31 days where none are given, at most 400.',
  params: v.strictObject({ cliente }),
  query: v.strictObject({
    dia_desde: v.optional(told(date, 'The first day.', '2026-11-01')),
    dia_hasta: v.optional(told(date, 'The last day; today where it is left out.', '2026-11-21')),
  }),
  output: named(
    'Historial',
    'What a client used by day.',
    v.strictObject({
      cliente: told(v.string(), 'The client.', 'acme'),
      datos: told(v.array(usageDayShape), 'Oldest first.'),
    }),
  ),
  errors: ['cliente_no_existe'],
  async run({ tx, actor, now }, { params, query }) {
    const client = await findClient({ tx, actor }, params.cliente)
    const until = query.dia_hasta ?? now().toISOString().slice(0, 10)
    const from = query.dia_desde ?? new Date(Date.parse(until) - 30 * 86_400_000).toISOString().slice(0, 10)
    const rows = await tx
      .select()
      .from(usageDays)
      .where(and(eq(usageDays.clientId, client.id), gte(usageDays.day, from), lte(usageDays.day, until)))
      .orderBy(asc(usageDays.day))
      .limit(400)
    const datos = rows.map((row) => ({
      dia: row.day,
      disco_bytes: row.diskBytes,
      inodos: row.inodes,
      trafico_entrada_bytes: row.trafficIn,
      trafico_salida_bytes: row.trafficOut,
    }))
    return ok({ cliente: client.name, datos })
  },
})
