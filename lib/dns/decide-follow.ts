import type { FollowedDefaults } from '../../schema/tables.ts'
import type { RRset } from '../endpoint/node-port.ts'
import { isPublicAddress } from '../providers/address.ts'
import { hiddenBy, type RecordFacts } from './decide-records.ts'
import { diffRrsets, isEmptyDiff, type ZoneDiff } from './diff.ts'
import { isInside, relativeName, withDot } from './names.ts'
import { clashes } from './rrset.ts'
import { nextSerial } from './serial.ts'
import { addresses, bareZone, nameServersOf, type ZoneDefaults } from './template.ts'
import type { StoredRrset } from './zones.ts'

export type FollowFacts = RecordFacts & {
  /** The settings that the zone's records were last made from; null in a zone of an earlier version. */
  last: FollowedDefaults | null
  /** The zone was made with a site. */
  ofSite: boolean
  /** Whether the client is served under the `www` of the zone. */
  www: boolean
}

/** A node's settings; `found` if its addresses are not configured but were found on its interfaces. */
export type Settings = ZoneDefaults & { found: boolean }

/** The settings that the zone was last made from, and what changes; null if nothing does. */
export type Followed = { made: FollowedDefaults; change: { diff: ZoneDiff; serial: number } | null }

/**
 * Updates the system's records in a zone to the node's present settings, except records that a zone below would hide.
 */
export function decideFollow(facts: FollowFacts, settings: Settings, now: Date): Followed {
  const { zone, records, www } = facts
  const last = facts.last ?? lastOf(facts)
  const present = presentOf(settings, last)
  const hidden = hiddenBy(facts.below, zone.name)
  const after = followed(records, { zone: zone.name, www, last, now: present })
  const { created, ...rest } = diffRrsets(zone.name, records, after)
  const diff = { ...rest, created: created.filter((rrset) => !hidden(rrset)) }
  const change = isEmptyDiff(diff) ? null : { diff, serial: nextSerial(zone.serial, now) }
  return { made: { ...present, apex: last.apex }, change }
}

/**
 * The node's settings. Addresses found on its interfaces replace those of their family but never just remove them:
 * while a machine starts, an interface may not be up yet.
 */
function presentOf({ addresses, nameServers, found }: Settings, last: FollowedDefaults): ZoneDefaults {
  if (!found) return { addresses, nameServers }
  const isV6 = (address: string) => address.includes(':')
  const kept = last.addresses.filter(
    (old) => isPublicAddress(old) && !addresses.some((address) => isV6(address) === isV6(old)),
  )
  return { addresses: [...addresses, ...kept], nameServers }
}

/** The settings that a zone of an earlier version was made from, guessed from its records. */
function lastOf({ records, ofSite }: FollowFacts): FollowedDefaults {
  const own = records.filter(({ origin }) => origin === 'sistema')
  const addresses = own.filter(isOwnAddress).flatMap(({ values }) => values)
  const ns = own.find(isApexNs)?.values ?? []
  return {
    // A zone without addresses had some, which its customer deleted.
    addresses: addresses.length > 0 ? [...new Set(addresses)] : ['0.0.0.0', '::'],
    nameServers: ns.map((name) => name.replace(/\.$/, '')),
    apex: ofSite || own.some(({ name, type }) => name === '@' && type !== 'NS'),
  }
}

/** The settings that the records were last made from, and those that they are to be made from. */
type Change = { zone: string; www: boolean; last: FollowedDefaults; now: ZoneDefaults }

/**
 * The records of a zone after the system's records were updated to the node's settings. Record sets of the customer
 * stay, and none comes back that the customer deleted, which is one that the last settings would have made.
 */
function followed(before: StoredRrset[], change: Change): RRset[] {
  const { zone, now } = change
  const ownNs = before.find((one) => isApexNs(one) && one.origin === 'sistema')
  const follows = (one: StoredRrset) => one === ownNs || isOwnAddress(one)
  const wanted = [
    ...(ownNs ? bareZone(zone, now).filter(isApexNs) : []),
    ...[...namesOf(before, change, ownNs !== undefined)].flatMap((name) => addresses(name, zone, now)),
  ]
  const after: RRset[] = before.filter((one) => !follows(one))
  for (const one of wanted) {
    const old = before.find(({ name, type }) => name === one.name && type === one.type)
    if (old ? follows(old) : isNew(one.name, before, change)) {
      if (old || clashes(zone, [...after, one]).length === 0) after.push(one)
    }
  }
  return after
}

/** The names that are to have the node's addresses. */
function namesOf(before: StoredRrset[], change: Change, ownsNs: boolean): Set<string> {
  const { zone, last, now } = change
  const wanted = [...apexNames(change), ...(ownsNs ? insideOf(zone, now) : [])]
  // A name server that is no longer used loses its address too.
  const stale = ownsNs ? insideOf(zone, last) : []
  const present = before.filter(isOwnAddress).map(({ name }) => name)
  return new Set([...wanted, ...present.filter((name) => !stale.includes(name))])
}

/** Whether a record set is missing because the earlier settings did not ask for it either. */
function isNew(name: string, before: StoredRrset[], change: Change): boolean {
  if (before.some((one) => one.name === name && isOwnAddress(one))) return true
  const { last, zone } = change
  const had = last.addresses.length > 0 ? [...apexNames(change), ...insideOf(zone, last)] : []
  return !had.includes(name)
}

function apexNames({ last, www }: Change): string[] {
  if (!last.apex) return []
  return www ? ['@', 'www'] : ['@']
}

/** The name servers that lie inside the zone, relative to it. */
function insideOf(zone: string, defaults: ZoneDefaults): string[] {
  return nameServersOf(zone, defaults)
    .filter((name) => isInside(name, zone))
    .map((name) => relativeName(name, withDot(zone)))
}

const isOwnAddress = ({ type, origin }: StoredRrset) =>
  origin === 'sistema' && (type === 'A' || type === 'AAAA')
const isApexNs = ({ name, type }: RRset) => name === '@' && type === 'NS'
