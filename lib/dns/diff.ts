import type { RRset } from '../node.ts'
import { ownerName } from './names.ts'
import { canonicalRdata } from './rdata.ts'

/** What has to happen to a zone to make it another; RRsets in canonical form, owner names relative. */
export type ZoneDiff = { created: RRset[]; changed: RRset[]; deleted: RRset[] }

/**
 * The difference between two contents of `zone` by canonical wire form: spelling, case, order and
 * repetition of values make none. The apex SOA is left out: each server keeps its own. What `from` holds
 * and cannot be read here differs from anything, so it is replaced or deleted; `to` must be readable
 * (throws RdataError or NameError).
 */
export function diffRrsets(zone: string, from: RRset[], to: RRset[]): ZoneDiff {
  const before = new Map<string, Keyed>()
  for (const rrset of from) {
    const keyed = lenient(zone, rrset)
    if (!isApexSoa(keyed.rrset)) before.set(keyed.id, keyed)
  }
  const diff: ZoneDiff = { created: [], changed: [], deleted: [] }
  for (const rrset of to) {
    const keyed = strict(zone, rrset)
    if (isApexSoa(keyed.rrset)) continue
    const old = before.get(keyed.id)
    before.delete(keyed.id)
    if (!old) diff.created.push(keyed.rrset)
    else if (old.content !== keyed.content) diff.changed.push(keyed.rrset)
  }
  for (const { rrset } of before.values()) diff.deleted.push(rrset)
  return diff
}

/** Whether two contents are the same zone. */
export function isEmptyDiff(diff: ZoneDiff): boolean {
  return diff.created.length + diff.changed.length + diff.deleted.length === 0
}

type Keyed = { id: string; content: string; rrset: RRset }

/** Equal presentations of canonicalRdata are equal wire forms, so texts are compared, which is faster. */
function strict(zone: string, rrset: RRset): Keyed {
  const name = ownerName(rrset.name, zone)
  const type = rrset.type.toUpperCase()
  if (type === 'SOA') return { id: `${name} SOA`, content: '', rrset: { ...rrset, name, type } }
  const values: string[] = []
  for (const value of rrset.values) {
    const { presentation } = canonicalRdata(type, value, zone)
    if (!values.includes(presentation)) values.push(presentation)
  }
  const sorted = values.length > 1 ? values.toSorted().join('\n') : values[0]
  return {
    id: `${name} ${type}`,
    content: `${rrset.ttl}\n${sorted}`,
    rrset: { name, type, ttl: rrset.ttl, values },
  }
}

function lenient(zone: string, rrset: RRset): Keyed {
  try {
    return strict(zone, rrset)
  } catch {
    const type = rrset.type.toUpperCase()
    let name = rrset.name.toLowerCase()
    try {
      name = ownerName(rrset.name, zone)
    } catch {
      // Kept as it was found, so that it can be deleted under that name.
    }
    return { id: `${name} ${type}`, content: '?', rrset: { ...rrset, name, type } }
  }
}

function isApexSoa(rrset: RRset): boolean {
  return rrset.type === 'SOA' && rrset.name === '@'
}
