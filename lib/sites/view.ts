import { and, eq, type SQL, sql } from 'drizzle-orm'
import { clients, nodes, siteGuards, siteNames, sites, zones } from '../../schema/tables.ts'
import { visibleTo } from '../clients/clients.ts'
import type { Actor, RunCtx } from '../endpoint/context.ts'
import { AppError, noSpace } from '../endpoint/errors.ts'
import { wireTime } from '../endpoint/page.ts'
import type { FirstPage } from '../endpoint/ports/pages.ts'
import { siteProof } from '../proof/view.ts'
import type { Db } from '../store/database.ts'
import { both, mapped, type Reading, reading } from '../store/reading.ts'
import { unicodeName } from '../text/host-names.ts'
import { storedFaultText } from '../text/stored-faults.ts'
import { cacheView } from './cache-shapes.ts'
import { webRootOf } from './decide.ts'
import { sitePhpView } from './php-shapes.ts'
import { errorPagesView, guardsView, indexView, redirectsView } from './rules-shapes.ts'
import type { SiteView } from './shapes.ts'

/** The columns that a view of sites needs; `sort` is what a listing is ordered by. */
export function selectSites(db: Db, sort: SQL<string | number> = sql`0`) {
  return db
    .select({
      sort,
      site: sites,
      client: { name: clients.name, node: clients.node, state: clients.state, id: clients.id },
      php: sql<
        string | null
      >`(select json_extract(${nodes.capacity}, '$.offers.php') from ${nodes} where ${nodes.name} = ${clients.node})`,
      extensions: sql<
        string | null
      >`(select json_extract(${nodes.capacity}, '$.offers.extensions."' || ${sites.php} || '"') from ${nodes} where ${nodes.name} = ${clients.node})`,
      mail: sql<
        number | null
      >`(select json_extract(${nodes.capacity}, '$.offers.mail') from ${nodes} where ${nodes.name} = ${clients.node})`,
      names: sql<string>`(select json_group_array(name) from (select ${siteNames.name} as name from ${siteNames} where ${siteNames.siteId} = ${sites.id} and ${siteNames.alias} = 1 order by ${siteNames.position}))`,
      guards: sql<string>`(select json_group_array(json_object('path', path, 'user', user, 'hasSecret', secret is not null)) from (select ${siteGuards.path} as path, ${siteGuards.user} as user, ${siteGuards.secretHash} as secret from ${siteGuards} where ${siteGuards.siteId} = ${sites.id} order by ${siteGuards.path}))`,
      unproven: sql<number>`(select count(*) from ${siteNames} where ${siteNames.siteId} = ${sites.id} and ${siteNames.provenAt} is null)`,
      zone: sql<
        string | null
      >`(select ${zones.name} from ${zones} where ${zones.clientId} = ${sites.clientId} and (${sites.domain} = ${zones.name} or ${sites.domain} like '%.' || ${zones.name}) order by length(${zones.name}) desc limit 1)`,
    })
    .from(sites)
    .innerJoin(clients, eq(clients.id, sites.clientId))
}

type SiteRow = Awaited<ReturnType<ReturnType<typeof selectSites>['all']>>[number]

/** The site as it is returned; `driver` adds, for operators, where its files are. */
export function siteView(
  { site, client, php, extensions, mail, names, guards, unproven, zone }: SiteRow,
  actor: Actor,
  { driver, request }: Pick<RunCtx, 'driver' | 'request'>,
): SiteView {
  const webRoot = webRootOf(site)
  const raiz = driver?.siteRoot(client.id, site.id, webRoot) ?? null
  const operator = actor.kind === 'token' || (actor.kind === 'session' && actor.role === 'admin')
  return {
    domain: site.domain,
    domain_unicode: unicodeName(site.domain),
    aliases: JSON.parse(names),
    cliente: client.name,
    nodo: client.node,
    estado: site.state,
    error: storedFaultText(site.error, request.language),
    ...sitePhpView(site, { php, extensions, mail }),
    https: {
      estado: site.certificateState,
      emisor: site.certificateIssuer,
      caduca: wireTime(site.certificateExpiresAt),
      nombres: site.certificateNames,
      error: storedFaultText(site.certificateError, request.language),
      se_reintenta: site.certificateError === null ? null : wireTime(site.certificateNextAt),
    },
    solo_https: site.httpsOnly,
    solo_https_en_espera: site.httpsOnly && site.certificateState !== 'activo',
    ...siteProof(unproven),
    cache: cacheView(site.cache),
    raiz_web: webRoot,
    indice_spa: site.singlePage,
    indice: indexView(site.indexFiles),
    redirecciones: redirectsView(site.redirects),
    protegidas: guardsView(JSON.parse(guards)),
    paginas_error: errorPagesView(site.errorPages),
    zona: zone,
    ...(operator && raiz !== null ? { raiz } : {}),
    creado: wireTime(site.createdAt),
  }
}

type Reader = Pick<RunCtx, 'tx' | 'actor' | 'driver' | 'request'>

/** The view of one site by domain; 404 `sitio_no_existe` if there is none that the actor may see. */
export const siteReading = (ctx: Reader, domain: string): Reading<SiteView> =>
  mapped(readingOf(ctx, domain), (site) => {
    if (site === null) throw new AppError('sitio_no_existe')
    return site
  })

/**
 * The view of a site that this request created. It is gone again where its client was deleted meanwhile, 409, or where the
 * node had no room for it, 507.
 */
export function newSiteReading(
  ctx: Reader,
  { domain, client }: { domain: string; client: string },
): Reading<SiteView> {
  const owner = reading(
    ctx.tx.select({ state: clients.state }).from(clients).where(eq(clients.name, client)),
    ([row]) => row?.state,
  )
  return mapped(both(readingOf(ctx, domain), owner), ([site, state]) => {
    if (site !== null) return site
    if (state === undefined) throw new AppError('cliente_no_existe', {}, { status: 409 })
    if (state === 'eliminando') throw new AppError('cliente_eliminandose')
    throw noSpace(ctx.driver?.scarce() ?? 'disco')
  })
}

function readingOf({ tx, actor, driver, request }: Reader, domain: string): Reading<SiteView | null> {
  const own = and(eq(sites.domain, domain), visibleTo(actor))
  return reading(selectSites(tx).where(own), ([row]) =>
    row ? siteView(row, actor, { driver, request }) : null,
  )
}

/** The first page of a site as it is returned. */
export const firstPageView = (domain: string, page: FirstPage, at: Date) => ({
  domain,
  direccion: page.address,
  estado: page.status,
  titulo: page.title,
  bytes: page.bytes,
  completa: page.whole,
  redirige: page.redirect,
  ms: page.ms,
  comprobada: wireTime(at),
})
