import { and, desc, eq, gte, lt, lte } from 'drizzle-orm'
import * as v from 'valibot'
import { auditShape } from '../../lib/audit/shapes.ts'
import { auditView } from '../../lib/audit/view.ts'
import { cliente, dayOrMoment, page, pageQuery, text, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf, placeAt, prefixEnd } from '../../lib/endpoint/page.ts'
import { audit } from '../../schema/tables.ts'

export default handler({
  method: 'GET',
  path: '/auditoria',
  access: allow('token', 'admin'),
  summary: 'The audit trail, newest first',
  description: '`operacion` is a prefix, such as `POST /clientes`.',
  query: v.strictObject({
    ...pageQuery,
    cliente: v.optional(cliente),
    actor: v.optional(told(text(254), 'Only what this one did: an address, or the name of a token.')),
    operacion: v.optional(told(text(100), 'The start of the operation, such as `POST /clientes`.')),
    direccion: v.optional(told(text(64), 'Only what came from this address.', '192.0.2.7')),
    dia_desde: v.optional(
      told(
        dayOrMoment,
        'What was done from this time on: a day in UTC, or a moment (RFC 3339).',
        '2026-11-01',
      ),
    ),
    dia_hasta: v.optional(
      told(dayOrMoment, 'What was done up to this time, a day being meant to its end.', '2026-11-21'),
    ),
  }),
  output: page(auditShape),
  errors: ['cursor_invalido'],
  async run({ tx }, { query }) {
    const { desde, limite, cliente, actor, operacion, direccion, dia_desde, dia_hasta } = query
    const place = placeAt(desde)
    const rows = await tx
      .select()
      .from(audit)
      .where(
        and(
          place === undefined ? undefined : lt(audit.id, place),
          cliente === undefined ? undefined : eq(audit.clientName, cliente),
          actor === undefined ? undefined : eq(audit.actorName, actor),
          operacion === undefined
            ? undefined
            : and(gte(audit.operation, operacion), lt(audit.operation, prefixEnd(operacion))),
          direccion === undefined ? undefined : eq(audit.address, direccion),
          dia_desde === undefined ? undefined : gte(audit.at, new Date(dia_desde)),
          dia_hasta === undefined ? undefined : lte(audit.at, endOf(dia_hasta)),
        ),
      )
      .orderBy(desc(audit.id))
      .limit(limite + 1)
    return ok(pageOf(rows, limite, ({ id }) => String(id), auditView))
  },
})

const DAY_MS = 86_400_000
/** A day is meant to its end. */
const endOf = (text: string) => new Date(Date.parse(text) + (text.includes('T') ? 0 : DAY_MS - 1))
