import { and, desc, eq, gte, lt } from 'drizzle-orm'
import * as v from 'valibot'
import { auditShape } from '../../lib/audit/shapes.ts'
import { auditView } from '../../lib/audit/view.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { cliente, page, pageQuery, text, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf, prefixEnd } from '../../lib/endpoint/page.ts'
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
  }),
  output: page(auditShape),
  errors: ['cursor_invalido'],
  async run({ tx }, { query: { desde, limite, cliente, actor, operacion } }) {
    if (desde !== undefined && !/^[0-9]{1,15}$/.test(desde)) throw new AppError('cursor_invalido')
    const rows = await tx
      .select()
      .from(audit)
      .where(
        and(
          desde === undefined ? undefined : lt(audit.id, Number(desde)),
          cliente === undefined ? undefined : eq(audit.clientName, cliente),
          actor === undefined ? undefined : eq(audit.actorName, actor),
          operacion === undefined
            ? undefined
            : and(gte(audit.operation, operacion), lt(audit.operation, prefixEnd(operacion))),
        ),
      )
      .orderBy(desc(audit.id))
      .limit(limite + 1)
    return ok(pageOf(rows, limite, ({ id }) => String(id), auditView))
  },
})
