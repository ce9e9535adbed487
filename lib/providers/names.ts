import type { RemoteRRset } from './types.ts'

/** A name relative to `zone` (`@` the apex) as an absolute one without its last dot. */
export function absolute(name: string, zone: string): string {
  return name === '@' ? zone : `${name}.${zone}`
}

/** The inverse of `absolute`, with or without a last dot, in lower case; null for a name outside `zone`. */
export function relative(name: string, zone: string): string | null {
  const plain = name.replace(/\.$/, '').toLowerCase()
  if (plain === zone) return '@'
  return plain.endsWith(`.${zone}`) ? plain.slice(0, -zone.length - 1) : null
}

/** SOA and apex NS belong to whoever serves the zone; the rest of DNSSEC to whoever signs it. */
export function isManaged(name: string, type: string): boolean {
  if (type === 'SOA' || SIGNER.has(type)) return true
  return name === '@' && (type === 'NS' || type === 'DNSKEY' || type === 'CDS' || type === 'CDNSKEY')
}

const SIGNER = new Set(['RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM'])

export type RemoteRecord = { name: string; type: string; ttl: number; value: string; handle: string }

/** Gathers single records into record sets; records that disagree about the TTL make it -1. */
export function gather(records: RemoteRecord[]): RemoteRRset[] {
  const sets = new Map<string, RemoteRRset>()
  for (const { name, type, ttl, value, handle } of records) {
    const key = `${name} ${type}`
    const set = sets.get(key)
    if (set === undefined) {
      sets.set(key, { name, type, ttl, values: [value], handles: [handle] })
    } else {
      if (set.ttl !== ttl) set.ttl = -1
      set.values.push(value)
      set.handles.push(handle)
    }
  }
  return [...sets.values()]
}

/** Splits canonical presentation into its fields; a quoted field keeps its quotes. */
export function fields(presentation: string): string[] {
  return presentation.match(/(?:[^\s"]|"(?:[^"\\]|\\.)*")+/g) ?? []
}

/** The content of a quoted field as written, without its quotes; another field as it is. */
export function unquoted(field: string): string {
  return field.startsWith('"') && field.endsWith('"') ? field.slice(1, -1) : field
}
