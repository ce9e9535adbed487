/** Addresses within a site, and those that a redirect leads to: pure text, checked by who takes them and who renders them. */

const SEGMENT_BYTES = 240
const SEGMENTS = 40
const DESTINATION_LENGTH = 1000
const CONTROL = /[\p{Cc}\u2028\u2029]/u
/** Ways up and on the spot, and what marks a rule in the tree that the web server reads. */
const NO_NAME = /^(?:\.{0,2}|[=*@])$/
/** What an address of the web is written with (RFC 3986, appendix A). */
const DESTINATION = /^(?:(https?):\/\/(?=[A-Za-z0-9[]))?([A-Za-z0-9._~:@!$&'()*+,;=?#%[\]/-]*)$/
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/

/** An address from a site's root down, as the web server sees it: decoded, without a query; null for what is none. */
export function siteAddress(text: string): string | null {
  const decoded = decode(text)
  if (!decoded.startsWith('/') || CONTROL.test(decoded) || /[?#]/.test(decoded) || !decoded.isWellFormed())
    return null
  const segments = decoded === '/' ? [] : decoded.replace(/\/$/, '').slice(1).split('/')
  const isName = (one: string) => !NO_NAME.test(one) && new TextEncoder().encode(one).length <= SEGMENT_BYTES
  return segments.length <= SEGMENTS && segments.every(isName) ? `/${segments.join('/')}` : null
}

/** What is written with a lone per cent sign means just that. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export type Destination = {
  /** `own` is the site itself. */
  scheme: 'own' | 'http' | 'https'
  /** Whether the rest of the address follows. */
  takesRest: boolean
  /** All after the scheme, parted at slashes; the query has none, since an escaped one means the same. */
  segments: string[]
}

/** What a redirect leads to; null for what is no such address. */
export function parseDestination(text: string): Destination | null {
  const [whole, scheme = 'own', rest = ''] = DESTINATION.exec(text) ?? []
  if (whole === undefined || text.length > DESTINATION_LENGTH) return null
  const [path = ''] = rest.split(/[?#]/, 1)
  const takesRest = path.endsWith('/*')
  const kept = takesRest ? path.slice(0, -2) : path
  const query = rest.slice(path.length).replaceAll('/', '%2F')
  // `/*` alone would let an address that begins with two slashes lead to another host.
  if (scheme === 'own' && (!path.startsWith('/') || (takesRest && kept === ''))) return null
  const segments = `${scheme === 'own' ? kept.slice(1) : kept}${query}`.split('/')
  const isPlain = (one: string, at: number) =>
    (one !== '' || at === segments.length - 1) && !/^\.{1,2}$/.test(one)
  if (!segments.every((one, at) => isPlain(one, at) && one.length <= SEGMENT_BYTES)) return null
  return { scheme: scheme === 'http' || scheme === 'https' ? scheme : 'own', takesRest, segments }
}

/** As browsers write it: names in A-labels, letters of other alphabets escaped. */
export function canonicalDestination(text: string): string | null {
  if (CONTROL.test(text) || text.startsWith('//') || text.includes('\\')) return null
  const isOwn = text.startsWith('/')
  const base = 'http://own.invalid'
  if (!URL.canParse(text, isOwn ? base : undefined)) return null
  const { href, hostname } = new URL(text, isOwn ? base : undefined)
  // A URL's host may hold more than a name or an address does, such as an asterisk that stands for nothing there.
  if (!HOST.test(hostname)) return null
  const canonical = isOwn ? href.slice(base.length) : href
  return parseDestination(canonical) === null ? null : canonical
}

const PAGE_LENGTH = 200
const PAGE = /^(?:\/[A-Za-z0-9_][A-Za-z0-9._-]*)+\.html?$/

/** Whether a text is the address of a page that can be answered for an error: of a plain name, and no program. */
export const isPageAddress = (text: string): boolean => text.length <= PAGE_LENGTH && PAGE.test(text)
