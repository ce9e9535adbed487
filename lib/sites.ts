import { and, asc, eq, gte, inArray, isNull, lt, ne, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { clients, nodes, siteNames, sites, zones } from '../schema/tables.ts'
import type { Client } from './clients.ts'
import { clientSubject, visibleTo } from './clients.ts'
import type { Actor, Ctx, WriteCtx } from './context.ts'
import type { Db, Tx } from './database.ts'
import { AppError } from './errors.ts'
import { faultText, storedFaultText } from './faults.ts'
import { enqueueAndWait } from './jobs.ts'
import { areKin, childRange, parentNames, reservedName, reversedName, unicodeName } from './names.ts'
import { wireTime } from './page.ts'
import { type Reading, reading } from './reading.ts'
import { nextId } from './row-id.ts'
import type { SiteView } from './shapes.ts'
import { invalidField } from './validate.ts'

export type Site = typeof sites.$inferSelect

/** A site by domain, as far as the actor may know of it; else 404 `sitio_no_existe`. */
export async function findSite(
  db: Db,
  actor: Actor,
  domain: string,
): Promise<{ site: Site; client: Client }> {
  const row = await db
    .select({ site: sites, client: clients })
    .from(sites)
    .innerJoin(clients, eq(clients.id, sites.clientId))
    .where(and(eq(sites.domain, domain), visibleTo(actor)))
    .get()
  if (!row) throw new AppError('sitio_no_existe')
  return row
}

/** The client whose site this is, as a condition on clients. */
export const isOwnerOf = (domain: string) =>
  sql`${clients.id} = (select ${sites.clientId} from ${sites} where ${eq(sites.domain, domain)})`

/** More names than this of other clients around those asked for are not told one by one. */
const MOST_KIN = 100

/**
 * Refuses names that nobody may hold (422) and names that are, or lie below or above, those of another
 * client (409 `dominio_ocupado`, never saying whose). `force` lifts the two rules marked † in the
 * contract: parents of the panel's own names, and kinship with another client's. `asked` are names asked
 * for already that these are among, so that it is known already.
 */
export async function requireNamesFree(
  ctx: WriteCtx,
  names: { field: string; name: string }[],
  client: { id: number } | null,
  force: boolean,
  asked = names.map(({ name }) => name),
): Promise<void> {
  const clientId = client?.id ?? -1
  const [everyNodes, kin] = await Promise.all([
    ctx.tx.select({ nameServers: nodes.nameServers }).from(nodes),
    force ? [] : kinOf(ctx.tx, asked, clientId),
  ])
  const nameServers = [...ctx.config.nameServers, ...everyNodes.flatMap((node) => node.nameServers)]
  const own = [ctx.config.host, ...nameServers].map((name) => name.toLowerCase())
  for (const { field, name } of names) {
    if (reservedName(name, own, force)) throw invalidField(field, 'dominio_reservado', ctx.request.language)
  }
  const list = names.map(({ name }) => name)
  const whole = kin.length < MOST_KIN ? kin : await kinOf(ctx.tx, list, clientId)
  if (whole.some((other) => list.some((name) => areKin(name, other)))) throw new AppError('dominio_ocupado')
}

/** Names of other clients that are one of these, a parent of one, or a child of one. */
async function kinOf(db: Db, names: string[], clientId: number): Promise<string[]> {
  const related = [...new Set([...names, ...names.flatMap(parentNames)])]
  const below = names.map(childRange)
  const [hosts, zoneRows] = await db.batch([
    db
      .select({ name: siteNames.name })
      .from(siteNames)
      .where(
        and(
          ne(siteNames.clientId, clientId),
          anyOf([
            inArray(siteNames.name, related),
            ...below.map(({ from, to }) => and(gte(siteNames.reversed, from), lt(siteNames.reversed, to))),
          ]),
        ),
      )
      .limit(MOST_KIN),
    db
      .select({ name: zones.name })
      .from(zones)
      .where(
        and(
          ne(zones.clientId, clientId),
          anyOf([
            inArray(zones.name, related),
            ...below.map(({ from, to }) => and(gte(zones.reversed, from), lt(zones.reversed, to))),
          ]),
        ),
      )
      .limit(MOST_KIN),
  ])
  return [...hosts, ...zoneRows].map(({ name }) => name)
}

/** Joined by halves: a row of a thousand would be deeper than SQLite parses (SQLITE_MAX_EXPR_DEPTH). */
function anyOf(conditions: (SQL | undefined)[]): SQL | undefined {
  const half = Math.ceil(conditions.length / 2)
  return conditions.length <= 2
    ? or(...conditions)
    : or(anyOf(conditions.slice(0, half)), anyOf(conditions.slice(half)))
}

export type NewSite = { domain: string; aliases: string[]; php?: string | null }

/** Adds a site and its names, which are known to be held by none, and queues its work. */
export async function addSite(ctx: WriteCtx, client: Client, site: NewSite): Promise<Site> {
  const names = [site.domain, ...site.aliases]
  const row: Site = {
    id: await nextId(ctx.tx, 'sites'),
    clientId: client.id,
    domain: site.domain,
    state: 'preparando',
    error: null,
    php: site.php ?? null,
    httpsOnly: false,
    certificateState: 'autofirmado',
    certificateIssuer: null,
    certificateExpiresAt: null,
    certificateNames: [],
    certificateError: null,
    certificateAttempts: 0,
    certificateNextAt: null,
    createdAt: ctx.now(),
  }
  ctx.tx.later(ctx.tx.insert(sites).values(row), ctx.tx.insert(siteNames).values(nameRows(row, names)))
  applySite(ctx, client, row.domain)
  return row
}

/** Which of these names sites hold, and whose. In a write transaction nobody can take another one meanwhile. */
export function heldOf(tx: Tx, names: string[]): Promise<{ name: string; clientId: number }[]> {
  return tx
    .select({ name: siteNames.name, clientId: siteNames.clientId })
    .from(siteNames)
    .where(inArray(siteNames.name, names))
}

/** Replaces a site's aliases, which are known to be free; its domain stays. */
export async function setAliases(ctx: WriteCtx, site: Site, aliases: string[]): Promise<void> {
  const dropped = and(
    eq(siteNames.siteId, site.id),
    eq(siteNames.alias, true),
    notInArray(siteNames.name, aliases),
  )
  ctx.tx.later(
    ctx.tx.delete(siteNames).where(dropped),
    ctx.tx
      .insert(siteNames)
      .values(nameRows(site, [site.domain, ...aliases]))
      .onConflictDoUpdate({ target: siteNames.name, set: { position: sql`excluded.position` } }),
    // The certificate follows the names; one that was refused keeps its time, or changing names would be a
    // way around the authority's limits.
    ctx.tx
      .update(sites)
      .set({ certificateNextAt: ctx.now() })
      .where(and(eq(sites.id, site.id), isNull(sites.certificateError))),
  )
}

/** Queues the work that makes the node serve a site as the database describes it. */
export function applySite(ctx: WriteCtx, client: Client, domain: string): void {
  enqueueAndWait(ctx, {
    kind: 'sitio.aplicar',
    node: client.node,
    subject: clientSubject(client),
    target: domain,
    client: client.name,
  })
}

const nameRows = (site: { id: number; clientId: number; domain: string }, names: string[]) =>
  names.map((name, position) => ({
    name,
    reversed: reversedName(name),
    siteId: site.id,
    clientId: site.clientId,
    alias: name !== site.domain,
    position,
  }))

/** A domain and its aliases, each once; a repeated one is 422. */
export function requireDistinct(ctx: WriteCtx, domain: string, aliases: string[]): void {
  const seen = new Set([domain])
  for (const [i, name] of aliases.entries()) {
    if (seen.has(name)) throw invalidField(`aliases.${i}`, 'alias_repetido', ctx.request.language)
    seen.add(name)
  }
}

/** Whether an insert failed because a name is held already. */
export function uniqueness(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (/UNIQUE constraint failed|SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)/.test(at.message)) return true
  }
  return false
}

/** All that a view of sites is selected from. */
export function selectSites(db: Db) {
  return db
    .select({
      site: sites,
      client: { name: clients.name, node: clients.node, state: clients.state, id: clients.id },
      php: sql<
        string | null
      >`(select json_extract(${nodes.capacity}, '$.offers.php') from ${nodes} where ${nodes.name} = ${clients.node})`,
      names: sql<string>`(select json_group_array(name) from (select ${siteNames.name} as name from ${siteNames} where ${siteNames.siteId} = ${sites.id} and ${siteNames.alias} = 1 order by ${siteNames.position}))`,
      zone: sql<
        string | null
      >`(select ${zones.name} from ${zones} where ${zones.clientId} = ${sites.clientId} and (${sites.domain} = ${zones.name} or ${sites.domain} like '%.' || ${zones.name}) order by length(${zones.name}) desc limit 1)`,
    })
    .from(sites)
    .innerJoin(clients, eq(clients.id, sites.clientId))
}

type SiteRow = Awaited<ReturnType<ReturnType<typeof selectSites>['all']>>[number]

/** The site as it is returned (contract section 2); `driver` tells operators where its files are. */
export function siteView(
  { site, client, php, names, zone }: SiteRow,
  actor: Actor,
  { driver, request }: Pick<Ctx, 'driver' | 'request'>,
): SiteView {
  const raiz = driver?.siteRoot(client.id, site.id) ?? null
  const operator = actor.kind === 'token' || (actor.kind === 'session' && actor.role === 'admin')
  return {
    domain: site.domain,
    domain_unicode: unicodeName(site.domain),
    aliases: JSON.parse(names),
    cliente: client.name,
    nodo: client.node,
    estado: site.state,
    error: storedFaultText(site.error, request.language),
    php: site.php,
    php_disponibles: php === null ? [] : JSON.parse(php),
    https: {
      estado: site.certificateState,
      emisor: site.certificateIssuer,
      caduca: wireTime(site.certificateExpiresAt),
      nombres: site.certificateNames,
      error: certificateFault(site, request.language),
    },
    solo_https: site.httpsOnly,
    solo_https_en_espera: site.httpsOnly && site.certificateState !== 'activo',
    zona: zone,
    ...(operator && raiz !== null ? { raiz } : {}),
    creado: wireTime(site.createdAt),
  }
}

/** Why a site has no certificate, and when it is tried again. */
function certificateFault(site: Site, language: 'es' | 'en'): string | null {
  const why = storedFaultText(site.certificateError, language)
  if (why === null || site.certificateNextAt === null) return why
  const cuando = `${site.certificateNextAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return `${why} ${faultText({ codigo: 'se_reintenta', cuando }, language)}`
}

/** The view of one site by domain, as far as the actor may know of it; else 404 `sitio_no_existe`. */
export function siteReading(
  { tx, actor, driver, request }: Pick<Ctx, 'tx' | 'actor' | 'driver' | 'request'>,
  domain: string,
): Reading<SiteView> {
  return reading(selectSites(tx).where(and(eq(sites.domain, domain), visibleTo(actor))), ([row]) => {
    if (!row) throw new AppError('sitio_no_existe')
    return siteView(row, actor, { driver, request })
  })
}

/** The view of a site that this request made; where the node had no room for it, it is gone again: 507. */
export function newSiteReading(
  { tx, actor, driver, request }: Pick<Ctx, 'tx' | 'actor' | 'driver' | 'request'>,
  domain: string,
): Reading<SiteView> {
  return reading(selectSites(tx).where(and(eq(sites.domain, domain), visibleTo(actor))), ([row]) => {
    if (!row) {
      throw new AppError('sin_espacio', { recurso: driver?.scarce() ?? 'disco', usado: null, limite: null })
    }
    return siteView(row, actor, { driver, request })
  })
}

/** The names of the site with this domain, the domain first. */
export async function namesOf(db: Db, domain: string): Promise<string[]> {
  const id = db.select({ id: sites.id }).from(sites).where(eq(sites.domain, domain))
  const rows = await db
    .select({ name: siteNames.name })
    .from(siteNames)
    .where(inArray(siteNames.siteId, id))
    .orderBy(asc(siteNames.position))
  return rows.map(({ name }) => name)
}
