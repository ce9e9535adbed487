import { closeSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureWay, exists, readLink, removeFile, setLink } from '../host/files.ts'
import { hostName, id, type Layout } from './layout.ts'

/**
 * What the web server learns of a name: its site, and `x` suspended, `o` HTTPS only, `f` files kept by browsers, `c`
 * settings of its own, `l` settings that each request looks up in the tree `g/`. The settings come after the marks; of
 * their flags `flagsOf` in web/rules/tree.ts tells.
 */
export const SHOWN =
  '(?<client>[0-9]+)_(?<site>[0-9]+)_(?<marks>sx?o?f?[cl]?)(?:/(?<flags>[a-z]*)-(?<settings>[0-9a-f]+)(?:-(?<kept_classes>[a-z0-9]+))?(?:,(?<own_index>[A-Za-z0-9._,-]+))?/(?<web_root>.+))?'
const MARKS = ['s', 'sf', 'so', 'sof']
/** The marks of a served site, by how it is answered. */
export const SERVED = {
  plain: MARKS,
  set: MARKS.map((marks) => `${marks}c`),
  looked: MARKS.map((marks) => `${marks}l`),
}
const ALL_MARKS = Object.values(SERVED)
  .flat()
  .flatMap((marks) => [marks, marks.replace('s', 'sx')])

/** What a site's mark says: `c` or `l`, and the way to be shown below. */
const SETTINGS = /^([cl])\/([a-z]*-[0-9a-f]{12}(?:-[a-z0-9]+)?(?:,[A-Za-z0-9._,-]+)?\/[A-Za-z0-9._/-]+)$/

type SiteKey = { clientId: number; siteId: number }

/**
 * `n/<host>` says in one look-up what `h/<host>` and its marks say in several: the web server resolves it at each
 * request. It leads to a name that no host can have, and is made anew from `h/` and the marks at each start.
 */
export function showHost(layout: Layout, host: string): void {
  const shown = shownBy(layout, host)
  if (shown === null) {
    hideHost(layout, host)
    return
  }
  const { name, settings } = shown
  if (settings === '') closeSync(openSync(layout.shown(name), 'a', 0o600))
  else ensureWay(layout.names, [name, ...settings.split('/')], { mode: 0o711, owner: null })
  setLink(layout.temporary, layout.shownHost(host), join(name, settings))
}

/** Whether the web server learns of a name what its links and marks say. */
export function isShown(layout: Layout, host: string): boolean {
  const shown = shownBy(layout, host)
  const target = shown === null ? null : join(shown.name, shown.settings)
  return (
    readLink(layout.shownHost(host)) === target && (target === null || exists(join(layout.names, target)))
  )
}

export function hideHost(layout: Layout, host: string): void {
  removeFile(layout.shownHost(host))
}

/** Removes the entries of names that do not lead to the site any more. */
export function hideOthers(layout: Layout, { clientId, siteId }: SiteKey, hosts: string[]): void {
  const used = hosts.map((host) => readLink(layout.shownHost(host)) ?? '')
  for (const marks of ALL_MARKS) {
    const name = `${id(clientId)}_${id(siteId)}_${marks}`
    if (exists(layout.shown(name))) prune(layout, name, used)
  }
}

/** Brings all names in line with what they lead to, as a copy of the data, another version or a power cut left it. */
export function showAll(layout: Layout): void {
  const hosts = readdirSync(layout.hosts).filter((name) => name !== '_')
  for (const host of hosts) showHost(layout, hostName(host))
  const used = hosts.map((host) => readLink(layout.shownHost(host)) ?? '')
  const kept = new Set([...hosts, '_'])
  for (const name of readdirSync(layout.names)) if (!kept.has(name)) prune(layout, name, used)
}

/** Removes what no name leads to, or leads through, any more; nothing there is anybody's but the panel's. */
function prune(layout: Layout, name: string, used: string[]): void {
  if (used.includes(name)) return
  const path = join(layout.names, name)
  const isPassed = used.some((target) => target.startsWith(`${name}/`))
  if (isPassed) for (const inside of readdirSync(path)) prune(layout, `${name}/${inside}`, used)
  else rmSync(path, { recursive: true, force: true })
}

/** Where a name leads, `suspended` where it leads away from its site; null where it leads to none. */
export function leadsTo(layout: Layout, host: string): (SiteKey & { suspended: boolean }) | null {
  const target = readLink(layout.host(host)) ?? ''
  const [, way, client, site] = /^\.\.\/([kx])\/([1-9][0-9]*)\/([1-9][0-9]*)$/.exec(target) ?? []
  if (client === undefined || site === undefined) return null
  return { clientId: Number(client), siteId: Number(site), suspended: way === 'x' }
}

/** The site that the web server finds by a name; null where it finds none. */
export function shownTo(layout: Layout, host: string): SiteKey | null {
  const [, client, site] = /^([1-9][0-9]*)_([1-9][0-9]*)_/.exec(readLink(layout.shownHost(host)) ?? '') ?? []
  return client === undefined || site === undefined
    ? null
    : { clientId: Number(client), siteId: Number(site) }
}

function shownBy(layout: Layout, host: string): { name: string; settings: string } | null {
  const led = leadsTo(layout, host)
  if (led === null) return null
  const [, mark = '', settings = ''] = SETTINGS.exec(readLink(layout.settingsMark(led.siteId)) ?? '') ?? []
  const marks = [
    's',
    led.suspended ? 'x' : '',
    exists(layout.httpsOnlyMark(host)) ? 'o' : '',
    exists(layout.longLivedMark(led.siteId)) ? 'f' : '',
    mark,
  ]
  return { name: `${led.clientId}_${led.siteId}_${marks.join('')}`, settings }
}
