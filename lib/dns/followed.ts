import type { FollowedDefaults } from '../../schema/tables.ts'
import type { RRset } from '../node.ts'
import { isInside, relativeName, withDot } from './names.ts'
import { clashes } from './rrset.ts'
import { addresses, bareZone, nameServersOf, type ZoneDefaults } from './template.ts'
import type { StoredRrset } from './zones.ts'

/** What the records were last made from, and what they are to be made from. */
export type Change = { zone: string; www: boolean; last: FollowedDefaults; now: ZoneDefaults }

/**
 * The records of a zone once those of the system follow the node's settings. A record set of the customer
 * stays, and none comes back that the customer deleted: one that the last settings would have made.
 */
export function followed(before: StoredRrset[], change: Change): RRset[] {
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
  // The address of a name server that is none any more goes with it.
  const stale = ownsNs ? insideOf(zone, last) : []
  const present = before.filter(isOwnAddress).map(({ name }) => name)
  return new Set([...wanted, ...present.filter((name) => !stale.includes(name))])
}

/** Whether a record set that is not there is one that the settings did not make before. */
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
