import { canonicalRdata } from '../dns/rdata.ts'
import type { RRset } from '../endpoint/node-port.ts'
import { fields, isManaged, unquoted } from '../providers/names.ts'
import type { Change, Limits, Omission, OmissionReason, RemoteRRset, RemoteZone } from '../providers/types.ts'

/** The records of a zone that a provider should hold, and those that it cannot hold. */
export type Desired = { rrsets: RRset[]; omitted: Omission[] }

type Rules = { limits: Limits; refuses: (rrset: RRset) => OmissionReason | null }

/**
 * The part of the zone that goes to the provider: without SOA and apex NS, which the provider sets itself, without
 * records that it cannot hold, and with TTLs within its bounds. Everything left out is listed.
 */
export function desiredRRsets(rrsets: readonly RRset[], rules: Rules, zone: RemoteZone): Desired {
  const desired: Desired = { rrsets: [], omitted: [] }
  const { max } = rules.limits.ttlSeconds
  const min = zone.minimumTtlSeconds ?? rules.limits.ttlSeconds.min
  for (const rrset of rrsets) {
    const { name, type } = rrset
    if (isManaged(name, type)) continue
    const reason = rules.refuses(rrset)
    if (reason !== null) {
      desired.omitted.push({ name, type, reason })
      continue
    }
    const ttl = Math.min(max, Math.max(min, rrset.ttl))
    if (ttl !== rrset.ttl) desired.omitted.push({ name, type, reason: 'ttl_ajustado' })
    desired.rrsets.push(ttl === rrset.ttl ? rrset : { ...rrset, ttl })
  }
  return desired
}

/**
 * The changes after which the provider holds exactly `desired`, in the order of names. Values are compared in
 * canonical form, so that a provider's own spelling of the same data makes no difference.
 */
export function difference(
  desired: readonly RRset[],
  remote: readonly RemoteRRset[],
  about: { zone: string; txtBounds: boolean },
): Change[] {
  const held = new Map<string, RemoteRRset>()
  for (const set of remote) held.set(`${set.name} ${set.type}`, set)
  const changes: Change[] = []
  for (const rrset of desired) {
    const { name, type } = rrset
    const key = `${name} ${type}`
    const before = held.get(key)
    held.delete(key)
    if (before === undefined) changes.push({ name, type, before: null, after: rrset })
    else if (before.ttl !== rrset.ttl || !sameValues(type, rrset.values, before.values, about)) {
      changes.push({ name, type, before, after: rrset })
    }
  }
  for (const before of held.values()) {
    changes.push({ name: before.name, type: before.type, before, after: null })
  }
  return changes.sort((left, right) => compare(left.name, right.name) || compare(left.type, right.type))
}

/** How many record sets a difference creates, changes and deletes. */
export function countChanges(changes: readonly Change[]): {
  created: number
  changed: number
  deleted: number
} {
  const counts = { created: 0, changed: 0, deleted: 0 }
  for (const { before, after } of changes) {
    if (before === null) counts.created++
    else if (after === null) counts.deleted++
    else counts.changed++
  }
  return counts
}

type About = { zone: string; txtBounds: boolean }

function sameValues(type: string, ours: readonly string[], theirs: readonly string[], about: About): boolean {
  if (ours.length !== theirs.length) return false
  // Most values come back as they were sent; only the rest is worth parsing.
  if (ours.length === 1 && ours[0] === theirs[0]) return true
  const left = canonicalSet(type, ours, about)
  const right = canonicalSet(type, theirs, about)
  return left.every((value, at) => value === right[at])
}

function canonicalSet(type: string, values: readonly string[], about: About): string[] {
  return values.map((value) => canonicalValue(type, value, about)).sort()
}

function canonicalValue(type: string, value: string, { zone, txtBounds }: About): string {
  let canonical: string
  try {
    canonical = canonicalRdata(type, value, `${zone}.`).presentation
  } catch {
    // Data that the panel cannot parse is not ours; as a text it differs from all of ours.
    return value
  }
  return type === 'TXT' && !txtBounds ? fields(canonical).map(unquoted).join('') : canonical
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
