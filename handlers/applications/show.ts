import * as v from 'valibot'
import { applicationFacts } from '../../lib/applications/facts.ts'
import { applicationShape } from '../../lib/applications/shapes.ts'
import { applicationView } from '../../lib/applications/view.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import { domain } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'

export default handler({
  method: 'GET',
  path: '/sitios/:domain/aplicacion',
  access: allow('token', 'admin', 'client'),
  summary: 'Show the application of a site',
  description:
    'What the panel installed into the site, the version that is there now, and the newer one that the node has.',
  params: v.strictObject({ domain }),
  whileSuspended: true,
  output: applicationShape,
  errors: ['sitio_no_existe'],
  async run(ctx, { params }) {
    const found = await applicationFacts(ctx, params.domain)
    if (!found) throw new AppError('sitio_no_existe')
    return ok(await applicationView(ctx, found))
  },
})
