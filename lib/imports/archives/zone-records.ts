import { absoluteName } from '../../dns/names.ts'
import { clashes } from '../../dns/rrset.ts'
import type { ParsedZone } from '../../dns/zonefile/zonefile.ts'
import type { RRset } from '../../endpoint/node-port.ts'

export type ReadZone = {
  rrsets: RRset[]
  /** Addresses that lead to this server from now on. */
  changed: { name: string; from: string[]; to: string[] }[]
  refused: ParsedZone['refused']
}

type Names = { served: ReadonlySet<string>; addresses: string[] }

/**
 * A zone's records, with those of names that are served here led to this server. All others stay as they are, such
 * as mail that goes on elsewhere.
 */
export function zoneRecords(
  { name, rrsets, refused }: { name: string } & ParsedZone,
  names: Names,
): ReadZone {
  const changed: ReadZone['changed'] = []
  // Told as refused; one alone would keep the whole zone from being taken.
  const clashing = new Set(clashes(name, rrsets).map(({ rrset }) => rrset))
  const sound = rrsets.filter((one) => !clashing.has(one))
  const after = sound.flatMap((rrset): RRset[] => {
    const own = absoluteName(rrset.name, name).replace(/\.$/, '')
    if (!names.served.has(own) || (rrset.type !== 'A' && rrset.type !== 'AAAA')) return [rrset]
    const to = names.addresses.filter((one) => one.includes(':') === (rrset.type === 'AAAA'))
    if (names.addresses.length === 0 || same(to, rrset.values)) return [rrset]
    changed.push({ name: own, from: rrset.values, to })
    return to.length === 0 ? [] : [{ ...rrset, values: to }]
  })
  return {
    rrsets: after,
    changed,
    refused,
  }
}

const same = (a: string[], b: string[]) => a.length === b.length && a.every((one) => b.includes(one))
