import * as v from 'valibot'
import { databaseField, databaseShape } from '../../lib/databases/shapes.ts'
import { databaseReading } from '../../lib/databases/view.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'

export default handler({
  method: 'GET',
  path: '/bases/:base',
  access: allow('token', 'admin', 'client'),
  summary: 'Show a database',
  params: v.strictObject({ base: databaseField }),
  output: databaseShape,
  errors: ['base_no_existe'],
  run: async (ctx, { params }) => ok(databaseReading(ctx, params.base)),
})
