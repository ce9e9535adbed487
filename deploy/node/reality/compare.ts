import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import type { DesiredSite } from '../../../lib/endpoint/node-port.ts'
import { PAGE_KINDS } from '../../../lib/endpoint/ports/pages.ts'
import type { ComparedClient, Difference, Reality, ServedName } from '../../../lib/endpoint/ports/reality.ts'
import { hasOwnCertificate } from '../certificates/served.ts'
import { type Identity, isAway, isHere, numbersOnDisk } from '../files/clients.ts'
import { hostName, isHostName, type Layout } from '../files/layout.ts'
import { isShown, leadsTo, shownTo } from '../files/shown.ts'
import { exists, readLink } from '../host/files.ts'
import { hasSiteSettings } from '../php/site-settings.ts'
import { readWanted, socketOf } from '../php/wanted.ts'
import { differing } from '../sftp/accounts.ts'
import { placesOf } from '../sftp/config.ts'
import { ownUsers, type UserRange } from '../users/users.ts'
import { hasPagePolicy } from '../web/cache/policy.ts'
import { hasPage } from '../web/pages/shown.ts'
import { dropName } from '../web/routes.ts'
import { hasRules } from '../web/rules/tree.ts'

type Parts = { layout: Layout; identity: Identity; users: UserRange }

/**
 * Looks at what the node holds. Only directories and links of root's are looked at by their paths, and what lies right
 * in them: below a site's document root everything is its customer's, and free to be as it likes.
 */
export function createComparison({
  layout,
  identity,
  users,
}: Parts): Omit<Reality<DesiredSite>, 'tell' | 'tellZones'> {
  return {
    differencesOf(client, sites) {
      // A new client's first site or account makes what it needs here.
      if (sites.length === 0 && client.sftp.length === 0 && !isHere(layout, client.clientId)) return []
      return [
        ...clientDifferences({ layout, identity, users }, client),
        ...accountDifferences({ layout, identity }, client),
        ...sites.flatMap((site) => siteDifferences({ layout, identity }, site)),
      ]
    },
    lacksFolder: ({ clientId, siteId }) => !isDirectory(layout.publicOf(clientId, siteId)),
    names: () => servedNames(layout),
    clients: () => numbersOnDisk(layout),
    pagesOff: (pages) => PAGE_KINDS.filter((kind) => !hasPage(layout, kind, pages[kind])),
    unserve: (name) => dropName(layout, name, name.host),
  }
}

function clientDifferences(
  { layout, identity, users }: Parts,
  { clientId, suspended }: { clientId: number; suspended: boolean },
): Difference[] {
  const path = layout.client(clientId)
  const link = layout.clientLink(clientId)
  const customer = identity.customer(clientId)
  const wanted = suspended ? `../x/${clientId}` : `../c/${clientId}`
  const found: Difference[] = []
  if (readLink(link) !== wanted) found.push({ part: 'state', where: link })
  if (identity.root === null || customer === null) return found
  if (!isOwn(users, layout)(clientId)) found.push({ part: 'user', where: String(customer.uid) })
  if (!belongsTo(path, identity.root.uid)) found.push({ part: 'owner', where: path })
  const web = identity.web?.uid ?? 0
  const passing = suspended ? [web] : [web, customer.uid]
  if (exists(path) && identity.accessLists?.lacksPassOnlyFor(path, passing))
    found.push({ part: 'access', where: path })
  return found
}

/** Nothing on a node without SFTP. */
function accountDifferences(
  { layout, identity }: Omit<Parts, 'users'>,
  { clientId, sftp }: ComparedClient,
): Difference[] {
  const places = placesOf(layout)
  const owner = identity.customer(clientId)
  if (owner === null || !exists(places.base)) return []
  return differing(places, { clientId, owner }, sftp).map((where) => ({ part: 'sftp', where }))
}

const isOwn = (users: UserRange, layout: Layout) =>
  ownUsers(users, layout.client, {
    passwd: readFileSync('/etc/passwd', 'utf8'),
    group: readFileSync('/etc/group', 'utf8'),
  })

function siteDifferences(parts: Omit<Parts, 'users'>, site: DesiredSite): Difference[] {
  const root = parts.layout.publicOf(site.clientId, site.siteId)
  // What else it lacks matters once its files are there.
  if (!isDirectory(root)) return [{ part: 'folder', where: root }]
  return [...ownerDifferences(parts, site), ...routeDifferences(parts.layout, site)]
}

function ownerDifferences(
  { layout, identity }: Omit<Parts, 'users'>,
  { clientId, siteId }: DesiredSite,
): Difference[] {
  const [site, root] = [layout.site(clientId, siteId), layout.publicOf(clientId, siteId)]
  if (identity.root === null) return []
  const wanted = [
    [site, identity.root.uid],
    [root, identity.customer(clientId)?.uid ?? 0],
  ] as const
  return wanted.flatMap(([path, uid]) => (belongsTo(path, uid) ? [] : [{ part: 'owner', where: path }]))
}

function routeDifferences(layout: Layout, site: DesiredSite): Difference[] {
  const isShut = isAway(layout, site)
  const found: Difference[] = [site.domain, ...site.aliases].flatMap((host) => {
    const led = leadsTo(layout, host)
    // A suspended site is away where its client's link leads, or its own; others have only one way.
    const served = led !== null && led.clientId === site.clientId && led.siteId === site.siteId
    const right = served && (site.suspended || led.suspended === isShut)
    const marked = exists(layout.httpsOnlyMark(host)) === (site.httpsOnly && !site.uncovered?.includes(host))
    return [
      ...(right && marked && isShown(layout, host) ? [] : [{ part: 'name' as const, where: host }]),
      ...(hasCertificate(layout, site, host) ? [] : [{ part: 'certificate' as const, where: host }]),
    ]
  })
  return [...found, ...phpDifferences(layout, site), ...settingsDifferences(layout, site)]
}

/** The link by which the web server finds its PHP, and whether the keeper listens for its client. */
function phpDifferences(layout: Layout, { siteId, clientId, php, suspended }: DesiredSite): Difference[] {
  const link = layout.phpLink(siteId)
  if (readLink(link) !== (php === null ? null : `../f/${php}`)) return [{ part: 'php', where: link }]
  if (php === null || suspended) return []
  const directory = layout.fpmVersion(php)
  if (!readWanted(layout, clientId)?.versions.includes(php)) return [{ part: 'php', where: directory }]
  const socket = socketOf(layout, php, clientId)
  return exists(socket) ? [] : [{ part: 'php', where: socket }]
}

function settingsDifferences(layout: Layout, site: DesiredSite): Difference[] {
  const held: [string, boolean][] = [
    [layout.settingsMark(site.siteId), hasRules(layout, site)],
    [layout.pageSwitch(site.siteId), hasPagePolicy(layout, site)],
    [layout.fpmSite(site.siteId), hasSiteSettings(layout, site)],
  ]
  return held.flatMap(([where, isHeld]) => (isHeld ? [] : [{ part: 'settings', where }]))
}

/** A file of the name's own where an authority issued it one; else also a link to the site's that is there. */
function hasCertificate(layout: Layout, { certified }: DesiredSite, host: string): boolean {
  if (certified?.includes(host)) return hasOwnCertificate(layout, host)
  const path = layout.certificate(host)
  const target = readLink(path)
  return exists(target === null ? path : `${layout.certificates}/${target}`)
}

/** What is served are the entries of `n/`, also one that has none in `h/`. */
function servedNames(layout: Layout): ServedName[] {
  if (!exists(layout.hosts)) return []
  const hosts = readdirSync(layout.hosts).filter((name) => name !== '_')
  const known = new Set(hosts)
  const others = readdirSync(layout.names).filter((name) => isHostName(name) && !known.has(name))
  return [
    ...hosts.map((host) => [host, leadsTo(layout, hostName(host))] as const),
    ...others.map((host) => [host, shownTo(layout, host)] as const),
  ].flatMap(([host, led]) => (led === null ? [] : [{ host, clientId: led.clientId, siteId: led.siteId }]))
}

const isDirectory = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true

function belongsTo(path: string, uid: number): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found === undefined || found.uid === uid
}
