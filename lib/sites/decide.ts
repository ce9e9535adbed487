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

/** The facts for changing the names of a site. */
export type NamesFacts = {
  names: NameFacts
  /** Which of the names sites hold, and whose. */
  held: { name: string; clientId: number }[]
  /** The names that the site has, the domain first. */
  present: string[]
  room: Room
  around: ZoneAround[]
}

export type NewSiteFacts = NamesFacts & {
  /** The site that has the domain. */
  existing: Site | undefined
  /** The resource that this node has run out of. */
  exhausted: 'disco' | 'inodos' | null
  place: ZonePlace
  /** Names below the domain that the client's sites have. */
  served: string[]
  nextId: number
}

/** `aliases` left out: `www` of the domain, where it is free and the plan has room (contract section 3). */
export type WantedSite = {
  domain: string
  aliases: string[] | undefined
  force: boolean
  /** The proof of the names, where a customer adds them. */
  proof: Proof
  language: Language
}

export type NewSite = {
  id: number
  domain: string
  aliases: string[]
  php: string | null
  /** Those of its names that its client has proven. */
  proven: ReadonlySet<string>
  records: NameRecordsChange[]
  /** The zone that it brings along. */
  zone: NewZone | null
}

/** A new site for a client; null where it has this one already, whose aliases stay as they are then. */
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

/** The `www` of a domain where nothing stands against it. */
function defaultAliases({ names, held, room }: NewSiteFacts, { domain, force }: WantedSite): string[] {
  const www = wwwOf(domain)
  const free =
    www !== null &&
    hasRoom(room.plan, room.consumed, 'aliases') &&
    isNameFree(names, www, force) &&
    held.every(({ name }) => name !== www)
  return free ? [www] : []
}

/** The newest PHP of the node, where it has one and the plan includes it. */
function defaultPhp(plan: Plan | null, { offers }: KnownNode): string | null {
  if (plan && !plan.functions.includes('php')) return null
  return offers?.php.at(-1) ?? null
}

/**
 * The zone that a new site brings along, from the template (contract section 5), unless its name lies in another, or
 * the plan has no room for it: the name may well be served elsewhere.
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
  /** The new order of the aliases, where it changes. */
  order?: string[]
  proof: Proof
  language: Language
}

export type AliasChange = { aliases: string[]; proven: ReadonlySet<string>; records: NameRecordsChange[] }

/**
 * Decides new aliases in place of those that a site has, under the same rules. A refusal names an alias by its place
 * in the wanted list.
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

/** Refuses a version of PHP that the plan or the node does not have. */
export function requirePhp(plan: Plan | null, { offers }: KnownNode, version: string): void {
  requireFunction(plan, 'php')
  if (offers && !offers.php.includes(version)) throw new AppError('php_no_disponible')
}
