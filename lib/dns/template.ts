import type { DesiredZone, RRset } from '../endpoint/node-port.ts'
import { isInside, relativeName, withDot } from './names.ts'
import { canonicalRrset } from './rrset.ts'

/** What a node gives to the zones that it makes. Addresses in any form, names with or without dot. */
export type ZoneDefaults = { addresses: string[]; nameServers: string[] }

const TTL_SECONDS = 3600

/**
 * The zone that a new site gets (docs/api.md, "Work on the node"): A and AAAA of the apex, and of the names in it
 * that sites are served under, from the node's addresses, and NS. A name server inside the zone gets its addresses too, else it
 * could not be found.
 */
export function siteZone(zone: string, defaults: ZoneDefaults, served: readonly string[]): RRset[] {
  return [
    ...bareZone(zone, defaults),
    ...addresses('@', zone, defaults),
    ...served.flatMap((name) => addresses(name, zone, defaults)),
  ].filter(firstOfKind())
}

/** The least that a zone can hold: its NS, and addresses of those that lie inside it. */
export function bareZone(zone: string, defaults: ZoneDefaults): RRset[] {
  const names = nameServersOf(zone, defaults)
  const inside = names.filter((name) => isInside(name, zone)).map((name) => relativeName(name, withDot(zone)))
  const own = canonicalRrset(zone, { name: '@', type: 'NS', ttl: TTL_SECONDS, values: names })
  return [own, ...inside.flatMap((name) => addresses(name, zone, defaults))]
}

/** A node without name servers gets one inside each zone, so that no zone is without NS. */
export function nameServersOf(zone: string, { nameServers }: ZoneDefaults): string[] {
  return (nameServers.length > 0 ? nameServers : [`ns1.${zone}`]).map(withDot)
}

/**
 * The SOA of a zone: master is the first name server, timers as RFC 1912 section 2.2 advises, one hour
 * for negative answers (RFC 2308 section 5). All times in seconds.
 */
export function soaOf(zone: string, nameServers: string[]): DesiredZone['soa'] {
  const apex = withDot(zone)
  return {
    mname: withDot(nameServers[0] ?? `ns1.${apex}`),
    rname: `hostmaster.${apex}`,
    refresh: 10_800,
    retry: 3600,
    expire: 1_209_600,
    minimum: 3600,
  }
}

/** The record sets of a name that leads to the node. */
export function addresses(name: string, zone: string, { addresses }: ZoneDefaults): RRset[] {
  const v6 = addresses.filter((address) => address.includes(':'))
  const v4 = addresses.filter((address) => !address.includes(':'))
  return [
    { name, type: 'A', ttl: TTL_SECONDS, values: v4 },
    { name, type: 'AAAA', ttl: TTL_SECONDS, values: v6 },
  ]
    .filter((rrset) => rrset.values.length > 0)
    .map((rrset) => canonicalRrset(zone, rrset))
}

function firstOfKind(): (rrset: RRset) => boolean {
  const seen = new Set<string>()
  return ({ name, type }) => seen.size !== seen.add(`${name} ${type}`).size
}
