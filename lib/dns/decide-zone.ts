import type { FollowedDefaults } from '../../schema/tables.ts'
import type { Client } from '../clients/decide.ts'
import { AppError } from '../endpoint/errors.ts'
import type { RRset } from '../endpoint/node-port.ts'
import { nodeOf } from '../nodes/decide.ts'
import { requireRoom } from '../plans/decide.ts'
import type { Room } from '../plans/room.ts'
import { decideProven, type Proof } from '../proof/decide-proven.ts'
import { type Language, type NameFacts, requireNamesFree } from '../sites/decide-names.ts'
import { hiddenBy } from './decide-records.ts'
import { relativeName, withDot } from './names.ts'
import { bareZone, siteZone, type ZoneDefaults } from './template.ts'
import type { Zone } from './zones.ts'

type Template = 'sitio' | 'vacia'

export type WantedZone = {
  name: string
  template: Template
  force: boolean
  /** The proof of the name, which a customer needs. */
  proof: Proof
  language: Language
}

/** The zones at, above and below a name that may become a zone. */
export type ZonePlace = {
  /** The zone of that name, which may be about to be removed. */
  old: Zone | undefined
  /** Whether that zone or one above it is published. */
  covered: boolean
  /** The records of the zones above it. */
  above: { zone: string; rrset: RRset }[]
  /** The zones below it. */
  below: string[]
  nextId: number
}

export type NewZoneFacts = {
  names: NameFacts
  room: Room
  place: ZonePlace
  /** Names below the zone under which sites of the client are served. */
  served: string[]
}

/** A zone to add: a new row, or the client's own zone that was being removed. */
export type NewZone = {
  id: number
  old: Zone | undefined
  name: string
  siteId: number | null
  proven: boolean
  followed: FollowedDefaults
  records: RRset[]
}

/**
 * The zone that a client asks for. 409 `ya_existe` if the client has it, `dominio_ocupado` if names in it belong to
 * another client or are records of the client's own zone above.
 */
export function decideNewZone(facts: NewZoneFacts, client: Client, wanted: WantedZone): NewZone {
  const { names, room, place, served } = facts
  const { name, template, proof } = wanted
  requireNamesFree(names, [{ field: 'zona', name }], wanted)
  requireRoom(room.plan, room.consumed, 'zonas', 1)
  if (place.old?.state === 'activa') throw new AppError('ya_existe')
  const node = nodeOf(names, client.node)
  const proven = decideProven(proof, { ...names, client, names: [name], addresses: node.addresses })
  return decideZone(place, client, {
    name,
    template,
    siteId: null,
    served: served.map((one) => relativeName(withDot(one), name)),
    proven: proven.has(name),
    defaults: node,
  })
}

type Wish = Pick<NewZone, 'name' | 'siteId' | 'proven'> & {
  template: Template
  /** Names in it under which sites are served, relative to it. */
  served: string[]
  defaults: ZoneDefaults
}

/** A zone that is not published yet, made from its template, without records that zones below it answer for. */
export function decideZone(place: ZonePlace, client: Client, wish: Wish): NewZone {
  const { old, above, below, nextId } = place
  const { name, siteId, proven, served, defaults } = wish
  // A zone must not silence records of the client's own zone above, since it would answer in that zone's place.
  if (above.some(({ zone, rrset }) => hiddenBy([name], zone)(rrset))) throw new AppError('dominio_ocupado')
  if (old && old.clientId !== client.id) throw new AppError('ya_existe')
  const apex = wish.template === 'sitio'
  const records = apex ? siteZone(name, defaults, served) : bareZone(name, defaults)
  const hidden = hiddenBy(below, name)
  const { addresses, nameServers } = defaults
  return {
    id: old?.id ?? nextId,
    old,
    name,
    siteId,
    proven,
    followed: { addresses, nameServers, apex },
    records: records.filter((rrset) => !hidden(rrset)),
  }
}

/** The zone that was created with a site, as it is now, and the names of the client's other sites. */
export type BroughtZone = { zone: Zone | undefined; others: string[] }

/** The zone, if it is removed together with its site: not if another site of the client has a name in it. */
export function decideBroughtZone({ zone, others }: BroughtZone): Zone | null {
  if (!zone || others.some((name) => name === zone.name || name.endsWith(`.${zone.name}`))) return null
  return zone
}
