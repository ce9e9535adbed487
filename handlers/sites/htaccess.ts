import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { domain, si } from '../../lib/endpoint/fields.ts'
import { allow, DryRun, handler, ok } from '../../lib/endpoint/handler.ts'
import { siteFiles } from '../../lib/files/facts.ts'
import { REFUSALS } from '../../lib/files/shapes.ts'
import { translateHtaccess } from '../../lib/htaccess/decide.ts'
import { currentSettings, settingsFacts } from '../../lib/htaccess/facts.ts'
import { readHtaccess } from '../../lib/htaccess/files.ts'
import { columnsOf } from '../../lib/htaccess/merge.ts'
import { htaccessShape } from '../../lib/htaccess/shapes.ts'
import { htaccessView } from '../../lib/htaccess/view.ts'
import { queueSiteSync } from '../../lib/sites/commands.ts'
import { webRootOf } from '../../lib/sites/decide.ts'
import { siteToChange } from '../../lib/sites/facts.ts'
import { queueGuards } from '../../lib/sites/guards.ts'
import { sites } from '../../schema/tables.ts'

export default handler({
  method: 'POST',
  path: '/sitios/:domain/htaccess',
  access: allow('token', 'admin', 'client'),
  summary: 'Translate the `.htaccess` files of a site into its settings, once',
  description:
    'The web server reads no `.htaccess`. Those of the folder that is served and of the folders below, at most 100 of 64 KiB each, are read by a program of the client’s and translated as Apache 2.4 with its usual modules would apply them. Those of the folders above, within the site’s, are read as well: what only leads to the folder that is served holds, and all else of them is left (`encima`). What is set already stays. What asks for a password becomes a protected part whose password a person makes; what is closed becomes one that nobody has a password for. `simular=si` changes nothing. The files stay as they are.',
  params: v.strictObject({ domain }),
  query: v.strictObject({ simular: v.optional(si) }),
  output: htaccessShape,
  errors: REFUSALS,
  async prepare(services, { params }, ctx) {
    const { files, at, site } = await siteFiles(services, ctx, { domain: params.domain, path: '/' })
    return readHtaccess(files, { ...at, path: `/${webRootOf(site)}` })
  },
  async run(ctx, { params, query }, { files, whole }) {
    const [{ site, client }, facts] = await Promise.all([
      siteToChange(ctx, params.domain),
      settingsFacts(ctx.tx, params.domain),
    ])
    const translated = translateHtaccess(files, currentSettings(site, facts), facts.names)
    const { settings } = translated
    if (query.simular === 'si') throw new DryRun(ok(htaccessView(translated, { applied: false, whole })))
    const set = columnsOf(settings)
    if (Object.keys(set).length > 0) ctx.tx.later(ctx.tx.update(sites).set(set).where(eq(sites.id, site.id)))
    if (settings.guards) ctx.tx.later(...queueGuards(ctx, site, settings.guards))
    if (Object.keys(settings).length > 0) ctx.tx.later(queueSiteSync(ctx, client, site.domain))
    return ok(htaccessView(translated, { applied: true, whole }))
  },
  // The settings are in effect when it answers.
  settled: async (_ctx, _input, answer) => answer,
})
