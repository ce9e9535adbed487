import { and, asc, eq, gt } from 'drizzle-orm'
import * as v from 'valibot'
import { page, pageQuery } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { pageOf } from '../../lib/endpoint/page.ts'
import { personView, selectAdmins } from '../../lib/identity/persons.ts'
import { personShape } from '../../lib/identity/shapes.ts'
import { persons } from '../../schema/tables.ts'

export default handler({
  method: 'GET',
  path: '/personas',
  access: allow('token', 'admin'),
  summary: 'List admins',
  query: v.strictObject(pageQuery),
  output: page(personShape),
  async run({ tx }, { query: { desde, limite } }) {
    const rows = await selectAdmins(tx)
      .where(and(eq(persons.role, 'admin'), desde === undefined ? undefined : gt(persons.id, desde)))
      .orderBy(asc(persons.id))
      .limit(limite + 1)
    return ok(pageOf(rows, limite, ({ person }) => person.id, personView))
  },
})
