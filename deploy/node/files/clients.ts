import { readdirSync } from 'node:fs'
import type { DesiredSite } from '../../../lib/endpoint/node-port.ts'
import {
  directoriesIn,
  ensureDirectory,
  exists,
  type Owner,
  readLink,
  removeEmptyDirectory,
  removeFile,
  setLink,
  syncDirectory,
} from '../host/files.ts'
import type { AccessLists } from './acl.ts'
import { documentRoot, type Layout, STAGING } from './layout.ts'
import { giveRoots } from './tree.ts'

/** Who is who on this machine. `root` null: the panel is not root and everything belongs to its own user. */
export type Identity = {
  root: Owner | null
  /** The web server's workers. */
  web: Owner | null
  customer(clientId: number): Owner | null
  /** null where nothing has to be kept apart, since there is one user only. */
  accessLists: AccessLists | null
}

/** Where PHP writes what visitors upload, before a program moves it to its place. */
const UPLOADS = 'tmp'
const PRIVATE = ['sessions', 'logs'] as const
/** What is in a client's directory beside its sites, and is not hidden. */
export const OWN_PLACES: readonly string[] = [UPLOADS, ...PRIVATE, 'mail']

/** The directories that the node's web part stands on; all of them belong to root. */
export function ensureBase(layout: Layout, identity: Identity): void {
  const root = identity.root
  const web = identity.root && identity.web ? { uid: identity.root.uid, gid: identity.web.gid } : null
  ensureDirectory(layout.base, { mode: 0o711, owner: root })
  // Passable by all, listable by nobody: a customer must not learn the names of the others.
  for (const path of [
    layout.hosts,
    layout.names,
    layout.links,
    layout.clients,
    layout.suspended,
    layout.httpsOnly,
    layout.php,
    layout.policies,
    layout.rules,
    layout.fpm,
    layout.nginx,
    layout.pages,
    layout.acme,
  ]) {
    ensureDirectory(path, { mode: 0o711, owner: root })
  }
  // The empty directory that names of no site lead to.
  for (const path of ['_', '_/public']) {
    ensureDirectory(`${layout.names}/${path}`, { mode: 0o755, owner: root })
  }
  // The web server's workers read keys and reopen logs; nobody else gets this far.
  for (const path of [layout.certificates, layout.logs]) ensureDirectory(path, { mode: 0o750, owner: web })
  ensureDirectory(layout.internal, { mode: 0o710, owner: web })
  for (const path of closedIn(layout)) ensureDirectory(path, { mode: 0o700, owner: root })
}

/** Nobody but root passes these. */
const closedIn = (layout: Layout) => [
  layout.manifests,
  layout.bin,
  layout.restored,
  layout.temporary,
  layout.run,
  layout.fpmWanted,
  layout.fpmSites,
  layout.siteLogs,
]

/** The client's directory with what its PHP needs beside the sites. */
export function ensureClientDirectories(
  layout: Layout,
  identity: Identity,
  client: { clientId: number; suspended: boolean },
): void {
  const { clientId, suspended } = client
  const path = layout.client(clientId)
  const customer = identity.customer(clientId)
  ensureDirectory(path, { mode: 0o711, owner: identity.root, keepMode: true })
  if (suspended) shutOut(layout, identity, clientId)
  else if (identity.accessLists && customer && identity.web) {
    identity.accessLists.passOnlyFor(path, [identity.web.uid, customer.uid])
  }
  for (const name of PRIVATE) {
    if (customer) giveRoots(`${path}/${name}`, customer)
    ensureDirectory(`${path}/${name}`, { mode: 0o700, owner: customer, keepMode: true })
  }
  // A file keeps its group and list when it is moved, so it has to have those of the sites from its first moment.
  ensurePrepared(identity, `${path}/${UPLOADS}`, customer)
}

/** A directory whose files are made there and moved to where the web server reads them. */
function ensurePrepared(identity: Identity, path: string, customer: Owner | null): void {
  const { web } = identity
  const owner = customer && web ? { uid: customer.uid, gid: web.gid } : customer
  ensureDirectory(path, { mode: customer && web ? 0o2700 : 0o700, owner })
  if (customer && web) identity.accessLists?.readableTo(path, [web.uid, customer.uid])
}

/**
 * Closes the directory above a client's whole tree to its own user. Requests that still wait in its pool's queue
 * reach PHP whatever becomes of the web server's routes, and then find no program.
 */
export function shutOut(layout: Layout, identity: Identity, clientId: number): void {
  if (identity.web) identity.accessLists?.passOnlyFor(layout.client(clientId), [identity.web.uid])
}

/**
 * A site's directory and its empty document root, which the web server reads through its group; and where its files
 * are made that are not whole yet, which have that group from their first moment.
 */
export function ensureSiteDirectories(
  layout: Layout,
  identity: Identity,
  site: { clientId: number; siteId: number; rules?: { webRoot: string } },
): void {
  const customer = identity.customer(site.clientId)
  const owner = customer && identity.web ? { uid: customer.uid, gid: identity.web.gid } : null
  // Its client lists it; nobody else passes the directory above.
  ensureDirectory(layout.site(site.clientId, site.siteId), { mode: 0o755, owner: identity.root })
  ensureDirectory(layout.shownLogs(site.clientId, site.siteId), { mode: 0o755, owner: identity.root })
  // Its owner reads them where they are shown; nobody passes the directory above.
  ensureDirectory(layout.logsOf(site.siteId), { mode: 0o755, owner: identity.root })
  ensurePrepared(identity, layout.staging(site.clientId, site.siteId), customer)
  // The customer makes what is below itself, but nothing beside the folder that it has.
  const [beside = 'public'] = documentRoot(site.rules?.webRoot ?? 'public').split('/')
  const paths = ['public', beside].map((name) => layout.documents(site.clientId, site.siteId, name))
  for (const path of paths) {
    if (owner) giveRoots(path, owner)
    ensureDirectory(path, { mode: owner ? 0o2750 : 0o755, owner, keepMode: true })
  }
  if (!identity.web || !customer) return
  const readers = [identity.web.uid, customer.uid]
  for (const made of paths) identity.accessLists?.readableTo(made, readers)
}

/**
 * Points the client's link at its sites or at an empty directory. All its names lead through this link, so one rename
 * ends or begins the serving of all of them.
 */
export function setClientState(
  layout: Layout,
  identity: Identity,
  client: { clientId: number; suspended: boolean },
): void {
  const { clientId } = client
  if (client.suspended) {
    for (const siteId of siteIdsOf(layout, clientId)) ensureSuspended(layout, identity, { clientId, siteId })
    ensureSuspended(layout, identity, { clientId, siteId: null })
  }
  const target = client.suspended ? `../x/${clientId}` : `../c/${clientId}`
  setLink(layout.temporary, layout.clientLink(clientId), target)
  syncDirectory(layout.links)
}

/** Makes the empty directory of a suspended client, and in it the place that one of its sites leads to. */
export function ensureSuspended(
  layout: Layout,
  identity: Identity,
  site: { clientId: number; siteId: number | null },
): void {
  const directory = layout.suspendedClient(site.clientId)
  ensureDirectory(directory, { mode: 0o711, owner: identity.root })
  ensureDirectory(`${directory}/public`, { mode: 0o755, owner: identity.root })
  if (site.siteId !== null) setLink(layout.temporary, `${directory}/${site.siteId}`, '.')
}

/** Whether more is in a client's directory than a first `ensureClientDirectories` leaves. */
export function isInUse(layout: Layout, clientId: number): boolean {
  const path = layout.client(clientId)
  return listing(path).some((name) => !OWN_PLACES.includes(name) || listing(`${path}/${name}`).length > 0)
}

/** Whether more is in a site's directory than a first `ensureSiteDirectories` leaves. */
export function isSiteInUse(
  layout: Layout,
  { clientId, siteId }: { clientId: number; siteId: number },
): boolean {
  const folder = layout.site(clientId, siteId)
  return directoriesIn(folder).some((name) => name !== STAGING && listing(`${folder}/${name}`).length > 0)
}

/**
 * Whether a site is away by itself: it moves, or after a loss its databases are not back, or its files are still to come
 * and nothing is there.
 */
export const isAway = (
  layout: Layout,
  site: Pick<DesiredSite, 'clientId' | 'siteId' | 'held' | 'awaited' | 'databasesAwaited'>,
): boolean =>
  site.held === true ||
  Boolean(site.databasesAwaited) ||
  (Boolean(site.awaited) && !isSiteInUse(layout, site))

/** Whether anything of a client has been made here. */
export const isHere = (layout: Layout, clientId: number): boolean =>
  exists(layout.client(clientId)) || readLink(layout.clientLink(clientId)) !== null

/** Whether the client as a whole is suspended. */
export function isSuspended(layout: Layout, clientId: number): boolean {
  return readLink(layout.clientLink(clientId)) === `../x/${clientId}`
}

/** Removes what marks a client as suspended. */
export function removeSuspended(layout: Layout, clientId: number): void {
  const directory = layout.suspendedClient(clientId)
  for (const name of listing(directory)) {
    if (name !== 'public') removeFile(`${directory}/${name}`)
  }
  removeEmptyDirectory(`${directory}/public`)
  removeEmptyDirectory(directory)
}

/** The clients that have anything on this node, if only a link that led to their directory. */
export function numbersOnDisk(layout: Layout): number[] {
  return [...new Set([...clientIdsOf(layout), ...idsIn(layout.links)])]
}

/** The clients that have a directory on this node. */
export function clientIdsOf(layout: Layout): number[] {
  return idsIn(layout.clients)
}

/** The sites of a client that have a directory. */
export function siteIdsOf(layout: Layout, clientId: number): number[] {
  return idsIn(layout.client(clientId))
}

/** The numbers among the names in a directory. */
export function idsIn(path: string): number[] {
  return listing(path)
    .filter((name) => /^[1-9][0-9]{0,15}$/.test(name))
    .map(Number)
}

function listing(path: string): string[] {
  return exists(path) ? readdirSync(path) : []
}
