import type { ReadCtx } from '../endpoint/context.ts'
import type { Installed } from '../endpoint/ports/applications.ts'
import { rootMessage } from '../text/root-message.ts'
import { type Application, type ApplicationFacts, fits, isNewer, placeOf } from './decide.ts'
import { MANIFESTS } from './manifests/index.ts'
import type { ApplicationView, OfferedView } from './shapes.ts'

/** The application of a site as it is returned: its version is read from the site, where its programs run. */
export async function applicationView(ctx: ReadCtx, found: ApplicationFacts): Promise<ApplicationView> {
  const { application } = found
  const kind = application?.kind ?? 'wordpress'
  const offered =
    found.client.node === ctx.config.node ? (ctx.driver?.applications?.newest(kind) ?? null) : null
  if (application === null) {
    return {
      aplicacion: null,
      nombre: null,
      estado: null,
      version: null,
      nueva: offered,
      clon_de: null,
      se_puede_deshacer: false,
      admite: [],
    }
  }
  const version = (await readVersion(ctx, found)) ?? application.version
  const isDue = offered !== null && (version === null || isNewer(offered, version))
  return {
    aplicacion: application.kind,
    nombre: MANIFESTS[application.kind].name,
    estado: application.state,
    version: application.state === 'instalando' ? null : version,
    nueva: isDue ? offered : null,
    clon_de: found.original,
    se_puede_deshacer: application.restorePoint !== null,
    admite: MANIFESTS[application.kind].admits,
  }
}

/** What can be installed into sites of this node: what it has a package of, and the PHP for. */
export function offeredView({ driver, request }: ReadCtx): OfferedView[] {
  if (!driver?.applications) return []
  const extensions = driver.phpExtensions()
  const versions = driver.phpVersions().map((version) => ({ version, has: extensions[version] ?? [] }))
  return driver.applications.offered().flatMap(({ kind, version, languages }) => {
    const { name, description, database } = MANIFESTS[kind]
    const php = versions.filter((one) => fits(kind, one)).map((one) => one.version)
    if (php.length === 0) return []
    const descripcion = description[request.language]
    return [
      {
        aplicacion: kind,
        nombre: name,
        descripcion,
        version,
        idiomas: languages,
        php,
        base: database !== null,
      },
    ]
  })
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
  if (application === null) return null
  const node = client.node === ctx.config.node ? ctx.driver?.applications : null
  if (!node || client.state !== 'activo' || site.php === null || application.state !== 'activa') return null
  try {
    return (await node.look(placeOf({ site, client, application }))).version
  } catch (error) {
    ctx.log('warn', 'application not read', { site: site.id, reason: rootMessage(error) })
    return null
  }
}
