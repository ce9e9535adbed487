import punycode from 'punycode/'
import { getDomain, getPublicSuffix } from 'tldts'

const CLIENT = /^[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

const anyCase = (source: string) => source.replaceAll('a-z', 'A-Za-z').slice(1, -1)
/** What `clientName` accepts, as the OpenAPI document shows it. */
export const CLIENT_PATTERN = `^(?!.*\\.\\.)${anyCase(CLIENT.source)}$`
const ANY_LABEL = anyCase(LABEL.source).replaceAll('0-9', '0-9\\u0080-\\uffff')
/** What `hostName` accepts. Only UTS 46 decides which Unicode text is a name, so the pattern lets all of it pass. */
export const HOST_PATTERN = `^(?:${ANY_LABEL}\\.)+(?![0-9]+\\.?$)${ANY_LABEL}\\.?$`

/** A client's name in canonical form, or null if it breaks docs/api.md, "Names". */
export function clientName(input: string): string | null {
  const name = input.toLowerCase()
  return CLIENT.test(name) && !name.includes('..') ? name : null
}

/**
 * A host name in the one form that is stored and compared: A-labels (UTS 46, non-transitional), lower-case, without
 * trailing dot. Null unless it is a name of at least two labels (docs/api.md, "Names"). `reservedName` decides which
 * well-formed names are not allowed.
 */
export function hostName(input: string): string | null {
  const text = input.trim().replace(/\.$/, '')
  if (text.length === 0 || text.length > 253 || /[^\p{L}\p{M}\p{N}.\-。．｡]/u.test(text)) return null
  const ascii = toAscii(text)
  if (ascii === null || ascii.length > 253) return null
  const labels = ascii.split('.')
  const last = labels.at(-1) ?? ''
  if (labels.length < 2 || /^[0-9]+$/.test(last) || !labels.every((label) => LABEL.test(label))) return null
  return ascii
}

/** A part of a name that somebody searches for, in the form that names are stored in, as far as it has one. */
export const namePart = (text: string): string =>
  /[^\0-\x7f]/.test(text) && /^[\p{L}\p{M}\p{N}.-]+$/u.test(text) ? (toAscii(text) ?? text) : text

/** The U-label form of a canonical name, for people to read. */
export function unicodeName(name: string): string {
  try {
    return punycode.toUnicode(name)
  } catch {
    return name
  }
}

/**
 * Whether no client may have the name: it is a public suffix (Public Suffix List with its private part), `localhost`,
 * `*.arpa`, one of the panel's own names, or (unless `overridden`) a parent of those.
 */
export function reservedName(name: string, own: string[], overridden = false): boolean {
  if (name === 'localhost' || name.endsWith('.localhost') || name === 'arpa' || name.endsWith('.arpa'))
    return true
  if (getPublicSuffix(name, { allowPrivateDomains: true }) === name) return true
  if (own.includes(name)) return true
  return !overridden && own.some((mine) => mine.endsWith(`.${name}`))
}

/** The registered domain of a name: one label below its public suffix, by the whole Public Suffix List. */
export function registrableName(name: string): string {
  return getDomain(name, { allowPrivateDomains: true }) ?? name
}

/**
 * Whether having one name entitles to another: the other is the same or lies below, and no public suffix is between
 * them, as there is between `amazonaws.com` and a stranger's `x.compute.amazonaws.com`.
 */
export function speaksFor(held: string, name: string): boolean {
  return isAtOrBelow(name, held) && isAtOrBelow(held, registrableName(name))
}

const isAtOrBelow = (name: string, other: string) => name === other || name.endsWith(`.${other}`)

/** All parents of a name that have at least two labels, nearest first. */
export function parentNames(name: string): string[] {
  const labels = name.split('.')
  return labels.slice(1, -1).map((_, i) => labels.slice(i + 1).join('.'))
}

/** Whether two names are the same or one lies below the other. */
export function areKin(one: string, other: string): boolean {
  return isAtOrBelow(one, other) || isAtOrBelow(other, one)
}

/** The labels of a name in reverse order, so that all names below another form one range of an index. */
export function reversedName(name: string): string {
  return [...name].reverse().join('')
}

/** The range of reversed names that lie below a name; `/` is the character after `.`. */
export function childRange(name: string): { from: string; to: string } {
  const reversed = reversedName(name)
  return { from: `${reversed}.`, to: `${reversed}/` }
}

/** A client name made from a domain, for provisioning that names none. */
export function nameFromDomain(domain: string): string {
  return domain
    .replace(/[^a-z0-9._-]/g, '')
    .slice(0, 50)
    .replace(/[._-]+$/, '')
}

function toAscii(text: string): string | null {
  try {
    const ascii = new URL(`https://${text}`).hostname
    // No browser would ever send an A-label that its own U-label does not encode to.
    const again = new URL(`https://${punycode.toUnicode(ascii)}`).hostname
    return ascii === again ? ascii : null
  } catch {
    return null
  }
}
