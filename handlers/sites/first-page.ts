import * as v from 'valibot'
import { domain } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { firstPage } from '../../lib/sites/first-page.ts'
import { firstPageShape } from '../../lib/sites/shapes.ts'
import { firstPageView } from '../../lib/sites/view.ts'

export default handler({
  method: 'GET',
  path: '/sitios/:domain/portada',
  access: allow('token', 'admin', 'client'),
  summary: 'What visitors get at the first page of a site',
  description:
    'Asked of the web server of its node now, as a visitor would whose DNS led here: it can be seen before the domain does. The request stands in the log of the site’s visits. At most 20 times a minute by each caller.',
  params: v.strictObject({ domain }),
  output: firstPageShape,
  errors: ['sitio_no_existe', 'cliente_en_otro_nodo', 'no_disponible'],
  prepare: (services, { params }, ctx) => firstPage(services, ctx, params.domain),
  run: async ({ now }, { params }, page) => ok(firstPageView(params.domain, page, now())),
})
