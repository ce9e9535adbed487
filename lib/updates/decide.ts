/** A version that can be had, and where it is told of. */
export type Release = { version: string; url: string | null }

/** What is known of the operator's source, a row of `settings`. */
export type Known = Release & {
  source: string
  etag: string | null
  /** When the source last answered. */
  checkedAt: string
  /** The version of which the admins were written to. */
  told: string | null
}

const VERSION = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/
const TAG = /\brefs\/tags\/(v?\d{1,6}\.\d{1,6}\.\d{1,6})(?:\^\{\})?$/gm
const LONGEST_URL = 500

const partsOf = (version: string) => VERSION.exec(version)?.slice(1).map(Number) ?? null

/** Whether a version comes after another; one that is not of three numbers comes after none. */
export function isNewer(version: string, than: string): boolean {
  const [one, other] = [partsOf(version), partsOf(than)]
  if (one === null || other === null) return false
  const at = one.findIndex((part, index) => part !== other[index])
  return at >= 0 && (one[at] ?? 0) > (other[at] ?? 0)
}

/**
 * The newest version that a source tells of: JSON with `version` or `tag_name`, a line of text, or the references of a git
 * remote (gitprotocol-http(5)). Null for what tells of none.
 */
export function releaseIn(text: string): Release | null {
  const tags = [...text.matchAll(TAG)].map(([, tag = '']) => tag)
  const [newest] = tags.toSorted((a, b) => (isNewer(a, b) ? -1 : 1))
  if (newest !== undefined) return { version: plain(newest), url: null }
  const told = objectIn(text)
  const version = told === null ? text.trim() : (told.version ?? told.tag_name)
  if (typeof version !== 'string' || partsOf(version) === null) return null
  return { version: plain(version), url: urlIn(told?.url ?? told?.html_url) }
}

const plain = (version: string) => version.replace(/^v/, '')

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** It becomes a link: nothing but HTTPS. */
const urlIn = (value: unknown): string | null =>
  typeof value === 'string' &&
  value.length <= LONGEST_URL &&
  URL.canParse(value) &&
  value.startsWith('https://')
    ? value
    : null
