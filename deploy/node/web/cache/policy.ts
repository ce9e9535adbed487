import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import type { DesiredSite } from '../../../../lib/endpoint/node-port.ts'
import { id, type Layout } from '../../files/layout.ts'
import { exists, readLink, removeFile, setLink, syncDirectory, writeWhole } from '../../host/files.ts'
import { tellsBrowsers } from './browsers.ts'

/** nginx has a fixed list of times to keep a page for; one that is asked for is the next below. */
export const KEPT_SECONDS = [
  1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 45, 50, 60, 75, 90, 100, 120, 150, 180, 200, 240, 300, 400,
  480, 600, 720, 900, 1200, 1500, 1800, 2400, 2700, 3600, 5400, 7200, 10_800, 14_400, 21_600, 28_800, 43_200,
  86_400,
]
/** Name of the file that tells how a site's pages are kept, as nginx reads it. */
export const POLICY =
  '[0-9]+-(?<generation>[0-9a-f]+)-(?<page_seconds>[0-9]+)-(?<page_parameters>[A-Za-z0-9_,-]*)'
const PARAMETER = /^[A-Za-z0-9_-]{1,32}$/
const PARAMETERS_LENGTH_MAX = 180

type Pages = NonNullable<NonNullable<DesiredSite['cache']>['pages']>
type SiteKey = { siteId: number }

/** Makes nginx keep the site's pages, and browsers its files, as wanted; kept pages stay unless the wish changed. */
export function setPagePolicy(layout: Layout, site: DesiredSite): void {
  const pages = site.php === null ? null : (site.cache?.pages ?? null)
  const before = readLink(layout.pageSwitch(site.siteId))
  if (pages === null) removePages(layout, site)
  else if (before === null || settingsOf(before) !== settings(pages)) renew(layout, site, settings(pages))
  const mark = layout.longLivedMark(site.siteId)
  if (tellsBrowsers(site.cache)) setLink(layout.temporary, mark, '.')
  else removeFile(mark)
}

/** Whether pages and files are kept as wanted. */
export function hasPagePolicy(layout: Layout, site: DesiredSite): boolean {
  const pages = site.php === null ? null : (site.cache?.pages ?? null)
  const found = readLink(layout.pageSwitch(site.siteId))
  const kept = found !== null && exists(layout.pagePolicy(found)) ? settingsOf(found) : null
  const isMarked = exists(layout.longLivedMark(site.siteId))
  return kept === (pages && settings(pages)) && isMarked === tellsBrowsers(site.cache)
}

/** Makes everything unreachable that was kept of the site; nothing where nothing is kept. */
export function emptyPages(layout: Layout, site: SiteKey): void {
  const before = readLink(layout.pageSwitch(site.siteId))
  if (before !== null) renew(layout, site, settingsOf(before))
}

export function removePagePolicy(layout: Layout, site: SiteKey): void {
  removePages(layout, site)
  removeFile(layout.longLivedMark(site.siteId))
}

function removePages(layout: Layout, site: SiteKey): void {
  const before = readLink(layout.pageSwitch(site.siteId))
  if (before === null) return
  removeFile(layout.pageSwitch(site.siteId))
  removeOthers(layout, site, null)
}

/** A generation that never was before: pages of an earlier one are never found again. */
function renew(layout: Layout, site: SiteKey, wanted: string): void {
  const name = `${id(site.siteId)}-${randomBytes(6).toString('hex')}-${wanted}`
  writeWhole({ path: layout.pagePolicy(name), content: '', mode: 0o644 }, layout.temporary)
  setLink(layout.temporary, layout.pageSwitch(site.siteId), name)
  syncDirectory(layout.policies)
  removeOthers(layout, site, name)
}

/** Removes the earlier policies, and those that a killed change made and did not link. */
function removeOthers(layout: Layout, site: SiteKey, name: string | null): void {
  for (const other of readdirSync(layout.policies)) {
    if (other.startsWith(`${id(site.siteId)}-`) && other !== name) removeFile(layout.pagePolicy(other))
  }
}

const settingsOf = (policy: string) => policy.split('-').slice(2).join('-')

function settings({ seconds, parameters }: Pages): string {
  const kept = KEPT_SECONDS.findLast((one) => one <= seconds)
  if (kept === undefined) throw new TypeError('not a time to keep a page for')
  const names = [...new Set(parameters)].sort()
  const list = names.length === 0 ? '' : `,${names.join()},`
  if (!names.every((name) => PARAMETER.test(name)) || list.length > PARAMETERS_LENGTH_MAX) {
    throw new TypeError('not names of parameters')
  }
  return `${kept}-${list}`
}
