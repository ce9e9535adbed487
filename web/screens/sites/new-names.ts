import { hostIn, namesIn } from '../../ui/forms/host.ts'

/** What a new site's form says about its names: aliases one a line, and whether `www` comes along. */
export type NewAliases = { domain: string; aliases: string; www: boolean }

/**
 * The names of the request. `www` is left to the panel, which gives it where it is free, unless there are other aliases:
 * then it comes last, since faults count lines. Of a domain that was typed with its `www`, the one without it is the
 * site's.
 */
export function siteNamesOf({ domain, aliases, www }: NewAliases): { domain: string; aliases?: string[] } {
  const bare = www ? bareOf(domain) : null
  const typed = namesIn(aliases).map(hostIn)
  if (!www) return { domain, aliases: typed }
  if (typed.length === 0) return { domain: bare ?? domain }
  const own = bare === null ? wwwOf(domain) : nameIn(domain)
  const named = typed.filter((name) => name !== bare)
  return { domain: bare ?? domain, aliases: own === null || named.includes(own) ? named : [...named, own] }
}

/** The domain as it was typed. */
export const nameIn = (domain: string) => domain.trim().toLowerCase().replace(/\.$/, '')

/** Its `www`; null where it has one. */
export const wwwOf = (domain: string): string | null => {
  const name = nameIn(domain)
  return name === '' || name.startsWith('www.') ? null : `www.${name}`
}

/** The domain without its `www`; null where it has none, or nothing would be left. */
export const bareOf = (domain: string): string | null =>
  /^www\.([^.]+\..+)$/.exec(nameIn(domain))?.[1] ?? null
