import { AppError } from '../endpoint/errors.ts'
import { invalidField } from '../endpoint/validate.ts'
import type { NodeFacts } from '../nodes/decide.ts'
import type { Held } from '../proof/decide.ts'
import { reservedName } from '../text/host-names.ts'

export type Language = 'es' | 'en'

/** The facts that decide whether a client may have a name. */
export type NameFacts = NodeFacts & {
  /** Those of the wanted names that another client has, or that lie below or above one of another client's. */
  foreign: ReadonlySet<string>
  /** Those of the names, and of the names above them, that the client has already. */
  above: Held[]
}

const WWW = 'www.'

/** The `www` of a name; null if it begins with `www` already or would become too long (RFC 1035 section 2.3.4). */
export const wwwOf = (name: string): string | null =>
  name.startsWith(WWW) || name.length + WWW.length > 253 ? null : `${WWW}${name}`

/** A name, and the field of the request that contained it. */
export type Named = { field: string; name: string }

export const aliasFields = (names: readonly string[]): Named[] =>
  names.map((name, i) => ({ field: `aliases.${i}`, name }))

/**
 * The wanted names of a site and its `www`, which the site may get by default, or another site of the client may
 * have.
 */
export function askedNames({
  domain,
  aliases = [],
}: {
  domain: string
  aliases?: string[] | undefined
}): string[] {
  const www = wwwOf(domain)
  return [...new Set([domain, ...aliases, ...(www === null ? [] : [www])])]
}

/** Refuses a name that stands twice among a domain and its aliases: 422. */
export function requireDistinct(domain: string, aliases: readonly string[], language: Language): void {
  const seen = new Set([domain])
  for (const { field, name } of aliasFields(aliases)) {
    if (seen.has(name)) throw invalidField(field, 'alias_repetido', language)
    seen.add(name)
  }
}

/**
 * Refuses names that nobody may hold (422) and names that are, or lie below or above, those of another
 * client (409 `dominio_ocupado`, never saying whose).
 */
export function requireNamesFree(
  facts: Pick<NameFacts, 'own' | 'foreign'>,
  names: readonly Named[],
  { force, language }: { force: boolean; language: Language },
): void {
  for (const { field, name } of names) {
    if (reservedName(name, facts.own, force)) throw invalidField(field, 'dominio_reservado', language)
  }
  if (names.some(({ name }) => facts.foreign.has(name))) throw new AppError('dominio_ocupado')
}

/** Whether a name that nobody asked for may be added; if not, it is left out without an error. */
export function isNameFree(facts: Pick<NameFacts, 'own' | 'foreign'>, name: string, force: boolean): boolean {
  return !reservedName(name, facts.own, force) && !facts.foreign.has(name)
}
