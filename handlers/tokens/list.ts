import { and, asc, gt, gte, lt } from 'drizzle-orm'
import * as v from 'valibot'
import { page, pageQuery, text, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf, prefixEnd } from '../../lib/endpoint/page.ts'
import { tokenShape } from '../../lib/identity/shapes.ts'
import { tokenView } from '../../lib/identity/tokens.ts'
import { tokens } from '../../schema/tables.ts'

export default handler({
  method: 'GET',
  path: '/tokens',
  access: allow('token', 'admin'),
  summary: 'List API tokens, dead ones included; never their values',
  query: v.strictObject({ ...pageQuery, buscar: v.optional(told(text(200), 'The start of the name.')) }),
  output: page(tokenShape),
  async run({ tx, now }, { query: { desde, limite, buscar } }) {
    const rows = await tx
      .select()
      .from(tokens)
      .where(
        and(
          desde === undefined ? undefined : gt(tokens.id, desde),
          buscar === undefined
            ? undefined
            : and(gte(tokens.name, buscar), lt(tokens.name, prefixEnd(buscar))),
        ),
      )
      .orderBy(asc(tokens.id))
      .limit(limite + 1)
    return ok(
      pageOf(
        rows,
        limite,
        ({ id }) => id,
        (row) => tokenView(row, now()),
      ),
    )
  },
})
