import { and, eq, inArray, isNull, ne, type SQL } from 'drizzle-orm'
import {
  clients,
  plans,
  type SiteCache,
  type SitePhp,
  siteGuards,
  siteNames,
  sites,
  usage,
} from '../../schema/tables.ts'
import type { Services } from '../endpoint/context.ts'
import type {
  Awaited,
  DesiredCache,
  DesiredClient,
  DesiredPhpSettings,
  DesiredRules,
  DesiredSite,
  NodeDriver,
  SelfSigned,
  Step,
} from '../endpoint/node-port.ts'
import { allowanceOf, leftOf } from '../mail/allowance.ts'
import { awaitedFault } from '../nodes/errors.ts'
import { type Unrestored, unrestoredOf } from '../nodes/unrestored.ts'
import { isFull } from '../plans/full.ts'
import type { Db, Tx } from '../store/database.ts'
import { desiredAccounts } from './sftp.ts'

/**
 * The state that the node should bring about for a client; null when its row is gone or going, or while it is `moving`:
 * then only its move changes anything.
 */
export async function desiredClient(
  { db: { read: db }, now }: Pick<Services, 'db' | 'now'>,
  id: number,
  moving = false,
): Promise<DesiredClient | null> {
  const row = await db
    .select({ client: clients, plan: plans, used: { diskBytes: usage.diskBytes, inodes: usage.inodes } })
    .from(clients)
    .leftJoin(plans, eq(plans.id, clients.planId))
    .leftJoin(usage, eq(usage.clientId, clients.id))
    .where(eq(clients.id, id))
    .get()
  if (!row || row.client.state === 'eliminando' || row.client.moving !== moving) return null
  const { client, plan, used } = row
  const includesSftp = !plan || plan.functions.includes('sftp')
  const versions = await db.select({ php: sites.php }).from(sites).where(eq(sites.clientId, id))
  const allowance = await allowanceOf(db, id, now())
  const php = !plan || plan.functions.includes('php') ? versions.flatMap((site) => site.php ?? []) : []
  return {
    clientId: client.id,
    name: client.name,
    suspended: client.state === 'suspendido',
    php: [...new Set(php)],
    diskBytes: plan?.diskBytes ?? null,
    inodes: plan?.inodes ?? null,
    limits: {
      cpuPercent: plan?.cpuPercent ?? null,
      memoryBytes: plan?.memoryBytes ?? null,
      processes: plan?.processes ?? null,
    },
    sftp: includesSftp ? await desiredAccounts(db, id, isFull(plan, used)) : [],
    mailsLeft: leftOf(allowance ?? { limit: 0, used: 0 }),
  }
}

/**
 * A site that is now served; `certificate` is its self-signed one if the database does not describe that one yet,
 * `uncertified` tells that names of it have lost the authority's, and `awaited` what of it is not back after a loss.
 */
export type Served = {
  id: number
  certificate: SelfSigned | null
  uncertified: boolean
  awaited: { files: Awaited | null; databases: Awaited | null }
}

/**
 * Makes the node serve a site; the list is empty if the site is gone or this node has no web server. With `leavesLost`, one
 * that was served and has lost its directory is left as it is.
 */
export async function serveSite(
  services: Services,
  driver: NodeDriver,
  { id, step, leavesLost = false }: { id: number; step: Step; leavesLost?: boolean },
): Promise<Served[]> {
  const which = and(eq(sites.id, id), eq(clients.moving, false))
  const [row] = await desiredSites(services.db.read, which)
  if (!row) return []
  if (leavesLost && row.desired.known && driver.reality?.lacksFolder(row.desired)) return []
  const synced = await driver.syncSite(row.desired, step)
  if (!driver.servesSites) return []
  const certificate = synced?.selfSigned ?? null
  const isKnown = certificate !== null && tellsOf(row.site, certificate)
  const uncertified = (synced?.lost.length ?? 0) > 0
  const { awaited: files = null, databasesAwaited: databases = null } = row.desired
  return [{ id, certificate: isKnown ? null : certificate, uncertified, awaited: { files, databases } }]
}

/** Sites, and the state that the node should bring about for each of them. */
export async function desiredSites(
  db: Db,
  which: SQL | undefined,
): Promise<{ site: typeof sites.$inferSelect; desired: DesiredSite }[]> {
  const rows = await db
    .select({ site: sites, client: clients, plan: plans })
    .from(sites)
    .innerJoin(clients, eq(clients.id, sites.clientId))
    .leftJoin(plans, eq(plans.id, clients.planId))
    .where(which)
  const ids = rows.map(({ site }) => site.id)
  const names = await db
    .select({ siteId: siteNames.siteId, name: siteNames.name })
    .from(siteNames)
    .where(inArray(siteNames.siteId, ids))
  const guards = await db
    .select({ siteId: siteGuards.siteId, ...GUARD })
    .from(siteGuards)
    .where(inArray(siteGuards.siteId, ids))
    .orderBy(siteGuards.path)
  const unrestored = await unrestoredOf(
    db,
    rows.map(({ client }) => client.id),
  )
  const hosts = Map.groupBy(names, ({ siteId }) => siteId)
  const parts = Map.groupBy(guards, ({ siteId }) => siteId)
  return rows.map((row) => {
    const { site } = row
    const own = (hosts.get(site.id) ?? []).map(({ name }) => name)
    const guarded = (parts.get(site.id) ?? []).map(({ path, user, secret }) => ({ path, user, secret }))
    const desired = { ...desiredSite(row, own), rules: desiredRules(site, guarded) }
    return { site, desired: { ...desired, ...awaitedOf(desired, unrestored) } }
  })
}

/** Programs that find their database empty offer whoever comes first to set them up. */
const awaitedOf = (
  site: DesiredSite,
  { files, databasesOf }: Unrestored,
): Pick<DesiredSite, 'awaited' | 'databasesAwaited'> => ({
  awaited: files.get(site.domain) ?? null,
  databasesAwaited: site.php === null ? null : databasesOf(site),
})

type Row = {
  site: typeof sites.$inferSelect
  client: typeof clients.$inferSelect
  plan: typeof plans.$inferSelect | null
}

const desiredSite = ({ site, client, plan }: Row, hosts: string[]): DesiredSite => ({
  siteId: site.id,
  clientId: client.id,
  domain: site.domain,
  aliases: hosts.filter((name) => name !== site.domain),
  suspended: client.state === 'suspendido',
  known: site.state === 'activo' || site.state === 'suspendido',
  // Without a valid certificate, a redirect to HTTPS would show every visitor a browser's warning.
  httpsOnly: site.httpsOnly && site.certificateState === 'activo',
  uncovered: hosts.filter((name) => !site.certificateNames.includes(name)),
  certified: isCertified(site) ? hosts.filter((name) => site.certificateNames.includes(name)) : [],
  php: !plan || plan.functions.includes('php') ? site.php : null,
  cache: desiredCache(site.cache),
  phpSettings: desiredPhp(site.phpSettings, plan),
})

const isCertified = ({ certificateState, certificateIssuer }: Row['site']) =>
  certificateState === 'activo' && certificateIssuer !== null

const tellsOf = (site: typeof sites.$inferSelect, { names, expiresAt }: SelfSigned) =>
  site.certificateNames.join() === names.join() &&
  site.certificateExpiresAt?.getTime() === expiresAt.getTime()

/** All names of a site. */
export async function hostsOf(db: Db, siteId: number): Promise<string[]> {
  const rows = await db.select({ name: siteNames.name }).from(siteNames).where(eq(siteNames.siteId, siteId))
  return rows.map(({ name }) => name)
}

const GUARD = { path: siteGuards.path, user: siteGuards.user, secret: siteGuards.secretHash }

const desiredRules = (site: Row['site'], guards: DesiredRules['guards']): DesiredRules => ({
  webRoot: site.webRoot ?? 'public',
  singlePage: site.singlePage,
  redirects: site.redirects ?? [],
  guards,
  ...(site.indexFiles ? { indexFiles: site.indexFiles } : {}),
  ...(site.errorPages ? { errorPages: site.errorPages } : {}),
})

/** Records that the node has served a site, as `activo` or `suspendido`; changes made meanwhile have their own job. */
export async function markServed(
  tx: Tx,
  services: Pick<Services, 'now'>,
  { client, served }: { client: DesiredClient; served: Served[] },
): Promise<void> {
  if (served.length === 0) return
  const state = client.suspended ? 'suspendido' : 'activo'
  for (const [error, some] of Map.groupBy(served, (one) => toldOf(client, one))) {
    const ids = some.map(({ id }) => id)
    const which = and(inArray(sites.id, ids), ne(sites.state, 'eliminando'))
    tx.later(tx.update(sites).set({ state, error }).where(which))
  }
  for (const { id, certificate, uncertified } of served) {
    // The schedule asks the authority for it anew, within its limits.
    if (uncertified)
      tx.later(tx.update(sites).set({ certificateNextAt: services.now() }).where(eq(sites.id, id)))
    if (certificate === null) continue
    const { names, expiresAt } = certificate
    // The certificate of an authority, even one that arrived meanwhile, is not overwritten.
    const none = and(eq(sites.id, id), isNull(sites.certificateIssuer))
    tx.later(tx.update(sites).set({ certificateNames: names, certificateExpiresAt: expiresAt }).where(none))
  }
}

/** What is told of a site that is not all back; those of a suspended client follow once it is active. */
function toldOf({ suspended }: DesiredClient, { awaited: { files, databases } }: Served): string | null {
  if (files !== null) return awaitedFault('files', suspended ? 'coming' : files)
  return databases === null ? null : awaitedFault('databases', suspended ? 'coming' : databases)
}

/** A plan that was made smaller since counts. */
function desiredPhp(settings: SitePhp | null, plan: Row['plan']): DesiredPhpSettings | null {
  if (settings === null) return null
  return {
    ...settings,
    memoryBytes: Math.min(settings.memoryBytes, plan?.memoryBytes ?? Number.POSITIVE_INFINITY),
  }
}

/** The page cache's settings, as the node is told them. */
function desiredCache(cache: SiteCache | null): DesiredCache | null {
  if (cache === null) return null
  const pages = cache.seconds === null ? null : { seconds: cache.seconds, parameters: cache.parameters }
  return { pages, longLivedFiles: cache.files, ...(cache.classes ? { classes: cache.classes } : {}) }
}
