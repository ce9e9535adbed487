import { type Count, hourOf, sumOf } from './hours.ts'

/** What is to be added to a site's files. */
export type Added = { visits: string[]; php: string[]; hours: Map<number, Count> }
export type AddedBySite = Map<number, Added>

/** How the web server's log begins each line; see `accessLog` in web/config.ts. */
const LINE = /^\{"t":(\d{9,11})\.\d{3},"c":"\d+","o":(\d+),"i":\d+,"w":"([1-9]\d{0,15})","s":(\d{3}),"h":"/
/** No quote within a text stands without a backslash, so that this is found nowhere else before it. */
const ROW = ',"r":'
const FIRST_ERROR = 500
/** Characters that a terminal obeys or that turn the order of a text around; those below a blank are escaped already. */
const OBEYED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

export function addedTo(sites: AddedBySite, siteId: number): Added {
  const known = sites.get(siteId)
  if (known !== undefined) return known
  const added: Added = { visits: [], php: [], hours: new Map() }
  sites.set(siteId, added)
  return added
}

/** Takes a line of the web server's log to the site that was asked; a line of no site goes nowhere. */
export function splitLine(sites: AddedBySite, line: string): void {
  const [, seconds, bytes, site, status] = LINE.exec(line) ?? []
  const start = line.indexOf(ROW)
  if (site === undefined || start < 0 || !line.endsWith('"}}')) return
  const added = addedTo(sites, Number(site))
  added.visits.push(withoutObeyed(line.slice(start + ROW.length, -1)))
  const hour = hourOf(Number(seconds) * 1000)
  const one = { visits: 1, bytes: Number(bytes), errors: Number(status) >= FIRST_ERROR ? 1 : 0 }
  const before = added.hours.get(hour)
  added.hours.set(hour, before === undefined ? one : sumOf(before, one))
}

/** JSON in which such characters are written as their numbers. */
export const withoutObeyed = (json: string): string =>
  json.replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
