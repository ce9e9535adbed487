import { closeSync, openSync, readdirSync } from 'node:fs'
import { exists, readLink, removeFile, setLink } from '../host/files.ts'
import { hostName, id, type Layout } from './layout.ts'

/** What the web server learns of a name: its site, and `x` suspended, `o` HTTPS only, `f` files kept by browsers. */
export const SHOWN = '(?<client>[0-9]+)_(?<site>[0-9]+)_(?<marks>sx?o?f?)'
/** The marks of a served site: any, and those of a site that wants HTTPS alone. */
export const SERVED = { all: ['s', 'sf', 'so', 'sof'], httpsOnly: ['so', 'sof'] }
const ALL_MARKS = [...SERVED.all, ...SERVED.all.map((marks) => marks.replace('s', 'sx'))]

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
  closeSync(openSync(layout.shown(shown), 'a', 0o600))
  setLink(layout.temporary, layout.shownHost(host), shown)
}

export function hideHost(layout: Layout, host: string): void {
  removeFile(layout.shownHost(host))
}

/** Removes the entries of names that do not lead to the site any more. */
export function hideOthers(layout: Layout, { clientId, siteId }: SiteKey, hosts: string[]): void {
  const used = hosts.map((host) => readLink(layout.shownHost(host)))
  for (const marks of ALL_MARKS) {
    const name = `${id(clientId)}_${id(siteId)}_${marks}`
    if (!used.includes(name)) removeFile(layout.shown(name))
  }
}

/** Brings all names in line with what they lead to, as a copy of the data, another version or a power cut left it. */
export function showAll(layout: Layout): void {
  const hosts = readdirSync(layout.hosts).filter((name) => name !== '_')
  for (const host of hosts) showHost(layout, hostName(host))
  const used = new Set([...hosts, ...hosts.map((host) => readLink(layout.shownHost(host))), '_'])
  for (const name of readdirSync(layout.names)) if (!used.has(name)) removeFile(`${layout.names}/${name}`)
}

/** Where a name leads, `suspended` where it leads away from its site; null where it leads to none. */
export function leadsTo(layout: Layout, host: string): (SiteKey & { suspended: boolean }) | null {
  const target = readLink(layout.host(host)) ?? ''
  const [, way, client, site] = /^\.\.\/([kx])\/([1-9][0-9]*)\/([1-9][0-9]*)$/.exec(target) ?? []
  if (client === undefined || site === undefined) return null
  return { clientId: Number(client), siteId: Number(site), suspended: way === 'x' }
}

function shownBy(layout: Layout, host: string): string | null {
  const led = leadsTo(layout, host)
  if (led === null) return null
  const marks = [
    's',
    led.suspended ? 'x' : '',
    exists(layout.httpsOnlyMark(host)) ? 'o' : '',
    exists(layout.longLivedMark(led.siteId)) ? 'f' : '',
  ]
  return `${led.clientId}_${led.siteId}_${marks.join('')}`
}
