const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const DOMAIN =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

/** Both patterns above and the length of the local part, as the OpenAPI document shows them. */
export const EMAIL_PATTERN = `^(?=[^@]{1,64}@)${LOCAL.source.slice(1, -1)}@${DOMAIN.source.slice(1)}`

/**
 * One plain address (a dot-atom at a host name, RFC 5321 section 4.1.2), at most 254 characters;
 * comments, quotes and lists are refused. The domain is lower-cased, the local part kept. Null when bad.
 */
export function emailAddress(input: string): string | null {
  const text = input.trim()
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at)
  const domain = text.slice(at + 1)
  if (text.length > 254 || at < 1 || local.length > 64) return null
  return LOCAL.test(local) && DOMAIN.test(domain) ? `${local}@${domain.toLowerCase()}` : null
}

/** The form in which two spellings of one account's address are equal. */
export function emailKey(address: string): string {
  return address.toLowerCase()
}

/** An address with most of it hidden, for an answer to whoever may not learn it: `a…@a….es`. */
export function maskedEmail(address: string): string {
  const [local = '', domain = ''] = address.split('@')
  const labels = domain.split('.')
  const masked = labels.map((label, i) => (i === labels.length - 1 ? label : `${label.slice(0, 1)}…`))
  return `${local.slice(0, 1)}…@${masked.join('.')}`
}
