import * as v from 'valibot'
import { offeredShape } from '../../lib/applications/shapes.ts'
import { offeredView } from '../../lib/applications/view.ts'
import { named, told } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'

export default handler({
  method: 'GET',
  path: '/aplicaciones',
  access: allow('token', 'admin', 'client'),
  summary: 'List the applications that can be installed',
  description:
    'What this node has a package of and the PHP for. A host without sites answers none: ask the node of the client.',
  whileSuspended: true,
  output: named(
    'Aplicaciones',
    'The applications that can be installed.',
    v.strictObject({
      datos: told(v.array(offeredShape), 'The applications, in the order in which they are offered.'),
    }),
  ),
  errors: [],
  run: async (ctx) => ok({ datos: offeredView(ctx) }),
})
