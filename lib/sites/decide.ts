import type { sites } from '../../schema/tables.ts'
import type { Client } from '../clients/decide.ts'
import { decideZone, type NewZone, type ZonePlace } from '../dns/decide-zone.ts'
import { AppError, noSpace } from '../endpoint/errors.ts'
import { type KnownNode, nodeOf, requireThere } from '../nodes/decide.ts'
import { hasRoom, type Plan, requireFunction, requireRoom, requireSpace } from '../plans/decide.ts'
import type { Room } from '../plans/room.ts'
import { decideProven, type Proof } from '../proof/decide-proven.ts'
import { decideNameRecords, inside, type NameRecordsChange, type ZoneAround } from './decide-name-records.ts'
import {
  aliasFields,
  isNameFree,
  type Language,
  type NameFacts,
  requireDistinct,
  requireNamesFree,
  wwwOf,
} from './decide-names.ts'

export type Site = typeof sites.$inferSelect

/** The facts for changing a site's names. */
export type NamesFacts = {
  names: NameFacts
  /** Those of the wanted names that sites have, and the client of each. */
  held: { name: string; clientId: number }[]
  /** The site's present names, the domain first. */
  present: string[]
  room: Room
  around: ZoneAround[]
}

export type NewSiteFacts = NamesFacts & {
  /** The site that already has the domain. */
  existing: Site | undefined
  /** The resource that this node has run out of, if any. */
  exhausted: 'disco' | 'inodos' | null
  place: ZonePlace
  /** Names of the client's sites below the domain. */
  served: string[]
  nextId: number
}

/** Without `aliases` a site gets `www` of the domain, if that is free and the plan has room (docs/api.md, "Names"). */
export type WantedSite = {
  domain: string
  aliases: string[] | undefined
  force: boolean
  /** The proof of the names, which a customer needs. */
  proof: Proof
  language: Language
}

export type NewSite = {
  id: number
  domain: string
  aliases: string[]
  php: string | null
  /** Those of its names that the client has proven. */
  proven: ReadonlySet<string>
  records: NameRecordsChange[]
  /** The zone that is created with it. */
  zone: NewZone | null
}

/** Decides a new site; null if the client has this site already, whose aliases then stay as they are. */
export function decideSite(facts: NewSiteFacts, client: Client, wanted: WantedSite): NewSite | null {
  const { existing, names, held, room } = facts
  const { domain } = wanted
  if (existing) {
    if (existing.clientId === client.id && existing.state !== 'eliminando') return null
    throw new AppError('dominio_ocupado')
  }
  requireThere(names, client.node)
  requireDistinct(domain, wanted.aliases ?? [], wanted.language)
  requireNamesFree(names, [{ field: 'domain', name: domain }, ...aliasFields(wanted.aliases ?? [])], wanted)
  requireRoom(room.plan, room.consumed, 'sitios', 1)
  requireRoom(room.plan, room.consumed, 'aliases', wanted.aliases?.length ?? 0)
  requireSpace(room.plan, room.consumed)
  if (facts.exhausted !== null) throw noSpace(facts.exhausted)
  const aliases = wanted.aliases ?? defaultAliases(facts, wanted)
  const added = [domain, ...aliases]
  if (held.some(({ name }) => added.includes(name))) throw new AppError('dominio_ocupado')
  const node = nodeOf(names, client.node)
  const proven = decideProven(wanted.proof, { ...names, client, names: added, addresses: node.addresses })
  const site = { id: facts.nextId, domain, aliases, proven, php: defaultPhp(room.plan, node) }
  const change = { clientId: client.id, added, removed: [], defaults: node }
  return { ...site, records: decideNameRecords(facts.around, change), zone: siteZone(facts, client, site) }
}

/** `www` of the domain, unless something stands against it. */
function defaultAliases({ names, held, room }: NewSiteFacts, { domain, force }: WantedSite): string[] {
  const www = wwwOf(domain)
  const free =
    www !== null &&
    hasRoom(room.plan, room.consumed, 'aliases') &&
    isNameFree(names, www, force) &&
    held.every(({ name }) => name !== www)
  return free ? [www] : []
}

/** The newest PHP version of the node, if it has one and the plan includes PHP. */
function defaultPhp(plan: Plan | null, { offers }: KnownNode): string | null {
  if (plan && !plan.functions.includes('php')) return null
  return offers?.php.at(-1) ?? null
}

/**
 * The zone that is created with a new site, from the template (docs/api.md, "Work on the node"). None if the name lies
 * in another zone or the plan has no room: the name may well be served elsewhere.
 */
function siteZone(
  { names, room, place, served }: NewSiteFacts,
  client: Client,
  { id, domain, aliases, proven }: Pick<NewSite, 'id' | 'domain' | 'aliases' | 'proven'>,
): NewZone | null {
  if (place.covered || !hasRoom(room.plan, room.consumed, 'zonas')) return null
  return decideZone(place, client, {
    name: domain,
    template: 'sitio',
    siteId: id,
    served: inside({ name: domain }, [...aliases, ...served]),
    proven: proven.has(domain),
    defaults: nodeOf(names, client.node),
  })
}

export type WantedAliases = {
  aliases: string[]
  /** The new order of the aliases, if it changes. */
  order?: string[]
  proof: Proof
  language: Language
}

export type AliasChange = { aliases: string[]; proven: ReadonlySet<string>; records: NameRecordsChange[] }

/**
 * Decides the aliases that replace those of a site, by the same rules. A refusal names an alias by its index in the
 * wanted list.
 */
export function decideAliases(
  { names, held, present, room, around }: NamesFacts,
  { site, client }: { site: Site; client: Client },
  { aliases, order = aliases, proof, language }: WantedAliases,
): AliasChange {
  requireDistinct(site.domain, aliases, language)
  const fields = aliasFields(aliases).filter(({ name }) => !present.includes(name))
  const added = fields.map(({ name }) => name)
  requireNamesFree(names, fields, { force: false, language })
  requireRoom(room.plan, room.consumed, 'aliases', aliases.length - (present.length - 1))
  if (held.some(({ name }) => added.includes(name))) throw new AppError('dominio_ocupado')
  const defaults = nodeOf(names, client.node)
  const proven = decideProven(proof, { ...names, client, names: added, addresses: defaults.addresses })
  const removed = present.filter((name) => name !== site.domain && !aliases.includes(name))
  const change = { clientId: client.id, added, removed, defaults }
  return { aliases: order, proven, records: decideNameRecords(around, change) }
}

/** Refuses a PHP version that the plan or the node lacks. */
export function requirePhp(plan: Plan | null, { offers }: KnownNode, version: string): void {
  requireFunction(plan, 'php')
  if (offers && !offers.php.includes(version)) throw new AppError('php_no_disponible')
}

/** The folder of a site that is served, below the site's own. */
export const webRootOf = ({ webRoot }: Pick<Site, 'webRoot'>): string => webRoot ?? 'public'
