import { readFileSync } from 'node:fs'
import type { DesiredSite } from '../../../lib/endpoint/node-port.ts'
import type { Layout } from '../files/layout.ts'
import { exists, removeFile, writeWhole } from '../host/files.ts'

export type SiteSettings = Pick<DesiredSite, 'siteId' | 'phpSettings'>

/** A name and a number a line, as the keeper reads them; empty where a site has what all have. */
function linesOf({ phpSettings }: SiteSettings): string {
  if (!phpSettings) return ''
  const { memoryBytes, uploadBytes, seconds, inputVariables, showErrors } = phpSettings
  const numbers = { memory: memoryBytes, upload: uploadBytes, seconds, variables: inputVariables }
  const lines = Object.entries({ ...numbers, errors: showErrors ? 1 : 0 })
  if (lines.some(([, number]) => !Number.isSafeInteger(number) || number < 0))
    throw new TypeError('not a number')
  return lines.map(([name, number]) => `${name} ${number}\n`).join('')
}

/** What the keeper reads of a site's own settings. */
const linesAt = (layout: Layout, siteId: number): string =>
  exists(layout.fpmSite(siteId)) ? readFileSync(layout.fpmSite(siteId), 'utf8') : ''

/** Whether the keeper reads what is wanted. */
export const hasSiteSettings = (layout: Layout, site: SiteSettings): boolean =>
  linesAt(layout, site.siteId) === linesOf(site)

/** Answers whether they were others before. */
export function writeSiteSettings(layout: Layout, site: SiteSettings): boolean {
  const content = linesOf(site)
  if (hasSiteSettings(layout, site)) return false
  const path = layout.fpmSite(site.siteId)
  if (content === '') removeFile(path)
  else writeWhole({ path, content, mode: 0o600 }, layout.temporary)
  return true
}
