import { relativeName, withDot } from '../dns/names.ts'
import { addresses, type ZoneDefaults } from '../dns/template.ts'
import type { StoredRrset, Zone } from '../dns/zones.ts'
import { parentNames } from '../text/host-names.ts'

export const ADDRESS_TYPES = ['A', 'AAAA']

/** A zone above names of sites, with its records at the apex, at those names and at whatever could answer for them. */
export type ZoneAround = { zone: Zone; records: StoredRrset[] }
/** The names that a client's site gains and loses, and what its node puts into zones. */
export type NamesChange = {
  clientId: number
  added: readonly string[]
  removed: readonly string[]
  defaults: ZoneDefaults
}
/** The records that a zone gains, and the names at which it loses the panel's own addresses. */
export type NameRecordsChange = { zone: Zone; created: StoredRrset[]; deleted: string[] }

/**
 * Keeps the panel's addresses in a client's zones in step with the names of its sites. What the customer set stays,
 * and is the only answer then. `www` gets addresses only if the zone's apex has the panel's: otherwise the customer
 * wants the site elsewhere.
 */
export function decideNameRecords(zones: readonly ZoneAround[], change: NamesChange): NameRecordsChange[] {
  const { clientId, added, removed } = change
  return zones.flatMap((around) => {
    const { zone } = around
    if (zone.clientId !== clientId) return []
    const deleted = inside(zone, removed).filter((name) => hasOwn(around, name))
    const answered = added.filter((name) => zoneOf(zones, name) === zone)
    const created = inside(zone, answered).flatMap((name) => recordsAt(around, name, change))
    return created.length > 0 || deleted.length > 0 ? [{ zone, created, deleted }] : []
  })
}

/** The records that zones lose with a deleted site. */
export const decideGoneRecords = (
  zones: readonly ZoneAround[],
  { clientId, removed }: Pick<NamesChange, 'clientId' | 'removed'>,
): NameRecordsChange[] =>
  decideNameRecords(zones, { clientId, added: [], removed, defaults: { addresses: [], nameServers: [] } })

/** The zone that answers for a name: the nearest one, whoever owns it. */
function zoneOf(zones: readonly ZoneAround[], name: string): Zone | undefined {
  const found = [name, ...parentNames(name)].flatMap((at) => zones.find(({ zone }) => zone.name === at) ?? [])
  return found[0]?.zone
}

/** Those of the names that lie below a zone, relative to it. */
export const inside = (zone: { name: string }, names: readonly string[]): string[] =>
  names.filter((name) => name.endsWith(`.${zone.name}`)).map((name) => relativeName(withDot(name), zone.name))

const ANSWERS = [...ADDRESS_TYPES, 'CNAME', 'NS', 'DNAME']

const isOwn = ({ type, origin }: StoredRrset) => ADDRESS_TYPES.includes(type) && origin === 'sistema'

/**
 * Whether a zone holds the panel's addresses for a site's sake: those of one of the zone's own name servers do not
 * count.
 */
function hasOwn({ zone, records }: ZoneAround, name: string): boolean {
  const servers = records.find((one) => one.name === '@' && one.type === 'NS')?.values ?? []
  if (servers.includes(withDot(`${name}.${zone.name}`))) return false
  return records.some((one) => one.name === name && isOwn(one))
}

function recordsAt({ zone, records }: ZoneAround, name: string, { defaults }: NamesChange): StoredRrset[] {
  if (records.some((one) => answersFor(one, name))) return []
  const apex = records.filter((one) => one.name === '@' && isOwn(one))
  if (apex.length > 0) return apex.map((one) => ({ ...one, name }))
  if (name === 'www') return []
  return addresses(name, zone.name, defaults).map((one) => ({ ...one, origin: 'sistema' }))
}

/** Whether an existing record leaves no room for addresses at a name, or would no longer answer if they were added. */
function answersFor({ name: at, type }: StoredRrset, name: string): boolean {
  if (at === name) return ANSWERS.includes(type)
  const above = at !== '@' && name.endsWith(`.${at}`)
  if (above) return type === 'NS' || type === 'DNAME'
  return at === '*' || (at.startsWith('*.') && name.endsWith(at.slice(1)))
}

/** The names in a zone, besides its apex, at which a record may stand that answers for one of these names. */
export function namesAround(names: readonly string[]): string[] {
  const around = names.flatMap((name) => {
    const labels = name.split('.')
    const relative = labels.map((_, end) => labels.slice(0, end + 1))
    return relative.flatMap((one) =>
      one.flatMap((_, from) => [one.slice(from).join('.'), ['*', ...one.slice(from + 1)].join('.')]),
    )
  })
  return [...new Set(around)]
}
