import * as v from 'valibot'
import { domain } from '../../lib/endpoint/fields.ts'
import { allow, handler, ok } from '../../lib/endpoint/handler.ts'
import { queueEmptying } from '../../lib/sites/commands.ts'
import { siteToChange } from '../../lib/sites/facts.ts'
import { siteShape } from '../../lib/sites/shapes.ts'
import { siteReading } from '../../lib/sites/view.ts'
import { readNow } from '../../lib/store/reading.ts'

export default handler({
  method: 'DELETE',
  path: '/sitios/:domain/cache',
  access: allow('token', 'admin', 'client'),
  summary: "Empty a site's page cache",
  description:
    "No page that was kept is answered any more, and programs that were changed before are run as they are now; the setting stays. A site's own programs can ask for it too: `PURGE` on loopback, with the site's host name.",
  params: v.strictObject({ domain }),
  output: siteShape,
  errors: ['sitio_no_existe', 'cliente_en_otro_nodo', 'cliente_eliminandose'],
  async run(ctx, { params }) {
    const { site, client } = await siteToChange(ctx, params.domain)
    ctx.tx.later(queueEmptying(ctx, client, site.domain))
    return ok(siteReading(ctx, site.domain))
  },
  settled: async (ctx, { params }) => ok(await readNow(ctx.tx, siteReading(ctx, params.domain))),
})
