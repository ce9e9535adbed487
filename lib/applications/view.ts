import type { ReadCtx } from '../endpoint/context.ts'
import type { Installed } from '../endpoint/ports/applications.ts'
import { rootMessage } from '../text/root-message.ts'
import { type Application, type ApplicationFacts, isNewer, placeOf } from './decide.ts'
import type { ApplicationView } from './shapes.ts'

const KIND = 'wordpress'

/** The application of a site as it is returned: its version is read from the site, where its programs run. */
export async function applicationView(ctx: ReadCtx, found: ApplicationFacts): Promise<ApplicationView> {
  const { application } = found
  const offered =
    found.client.node === ctx.config.node ? (ctx.driver?.applications?.newest(KIND) ?? null) : null
  if (application === null) {
    return {
      aplicacion: null,
      estado: null,
      version: null,
      nueva: offered,
      clon_de: null,
      se_puede_deshacer: false,
    }
  }
  const version = (await readVersion(ctx, found)) ?? application.version
  const isDue = offered !== null && (version === null || isNewer(offered, version))
  return {
    aplicacion: application.kind,
    estado: application.state,
    version: application.state === 'instalando' ? null : version,
    nueva: isDue ? offered : null,
    clon_de: found.original,
    se_puede_deshacer: application.restorePoint !== null,
  }
}

/** What the work answers once it is done. */
export const outcomeView = (
  { kind }: Pick<Application, 'kind'>,
  { version, language, mailed }: Installed,
) => ({ aplicacion: kind, version, idioma: language, correo_enviado: mailed })

/** What an update answers once it is done. */
export const updateView = ({ kind }: Pick<Application, 'kind'>, version: string) => ({
  aplicacion: kind,
  version,
})

/** What a copy answers once it is done: between which sites. */
export const copyView = ({ from, to }: { from: string; to: string }) => ({ de: from, domain: to })

/** Null where it cannot be read now, as of a suspended client. */
async function readVersion(ctx: ReadCtx, found: ApplicationFacts): Promise<string | null> {
  const { site, client, application } = found
  const node = client.node === ctx.config.node ? ctx.driver?.applications : null
  if (!node || client.state !== 'activo' || site.php === null || application?.state !== 'activa') return null
  try {
    return (await node.look(placeOf(found))).version
  } catch (error) {
    ctx.log('warn', 'application not read', { site: site.id, reason: rootMessage(error) })
    return null
  }
}
