/** The longest part of a base's name that its client gives it, and that is left for its owner to choose. */
const SHORT_MAX = 32
const SUFFIX = /^[a-z0-9][a-z0-9_]{0,30}$/
/** What `POST /bases` takes, before the client is known: a suffix, or the whole name. */
export const DATABASE_PATTERN = '^[a-z0-9][a-z0-9_]{0,63}$'
export const ACCOUNT_PATTERN = '^[a-z0-9]{1,16}$'

/** What the names of a client's bases begin with: its own in letters that need no quotes anywhere. */
export function shortName(client: string): string {
  return client
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, SHORT_MAX)
    .replace(/_+$/, '')
}

/** The whole name of a client's base, by its suffix or by itself; null for what can be neither. */
export function databaseName(client: string, wanted: string): string | null {
  const start = `${shortName(client)}_`
  const suffix = wanted.startsWith(start) ? wanted.slice(start.length) : wanted
  return SUFFIX.test(suffix) ? start + suffix : null
}

/** The whole name of an account with a password. */
export const accountName = (client: string, suffix: string): string => `${shortName(client)}_${suffix}`
