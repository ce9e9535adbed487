import type { RRset } from '../endpoint/node-port.ts'
import { ownerName } from './names.ts'
import { canonicalRdata } from './rdata.ts'

/** The changes that turn one zone into another; RRsets in canonical form, owner names relative. */
export type ZoneDiff = { created: RRset[]; changed: RRset[]; deleted: RRset[] }

/**
 * The difference between two contents of `zone`, compared by canonical wire form, so that spelling, case, order and
 * repetition of values do not matter. The apex SOA is left out, since each server keeps its own. Records in `from`
 * that cannot be parsed differ from everything, so they are replaced or deleted; `to` must be valid (throws
 * RdataError or NameError).
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
    if (old) old.wanted = true
    if (!old) diff.created.push(keyed.rrset)
    else if (old.content !== keyed.content || old.rrset.ttl !== rrset.ttl) diff.changed.push(keyed.rrset)
  }
  for (const { rrset, wanted } of before.values()) if (!wanted) diff.deleted.push(rrset)
  return diff
}

/** Whether two contents are the same zone. */
export function isEmptyDiff(diff: ZoneDiff): boolean {
  return diff.created.length + diff.changed.length + diff.deleted.length === 0
}

type Keyed = { id: string; content: string; rrset: RRset; wanted?: true }

/** Canonical presentations are equal if and only if the wire forms are, so texts are compared, which is faster. */
function strict(zone: string, rrset: RRset): Keyed {
  const name = ownerName(rrset.name, zone)
  const type = rrset.type.toUpperCase()
  if (type === 'SOA') return { id: `${name} SOA`, content: '', rrset: { ...rrset, name, type } }
  const [only] = rrset.values
  if (rrset.values.length === 1 && only !== undefined) {
    const content = canonicalRdata(type, only, zone).presentation
    return { id: `${name} ${type}`, content, rrset: { name, type, ttl: rrset.ttl, values: [content] } }
  }
  const all = rrset.values.map((value) => canonicalRdata(type, value, zone).presentation)
  const values = [...new Set(all)].sort()
  return { id: `${name} ${type}`, content: values.join('\n'), rrset: { name, type, ttl: rrset.ttl, values } }
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
      // Kept as found, so that the record can be deleted under this name.
    }
    return { id: `${name} ${type}`, content: '?', rrset: { ...rrset, name, type } }
  }
}

function isApexSoa(rrset: RRset): boolean {
  return rrset.type === 'SOA' && rrset.name === '@'
}
