import { diffRrsets, isEmptyDiff, type ZoneDiff } from '../../../lib/dns/diff.ts'
import { absoluteName } from '../../../lib/dns/names.ts'
import type { DesiredZone, RRset } from '../../../lib/endpoint/node-port.ts'
import type { ApiChange, ApiRrset, ApiZone } from './api.ts'

/** Marks the zones that the panel made, so that an audit knows which it may delete. */
export const ACCOUNT = 'panel'

/** With an empty SOA-EDIT-API the serial is the one that the panel writes, and nobody bumps it. */
export const SETTINGS = { kind: 'Native', account: ACCOUNT, soa_edit_api: '', api_rectify: true } as const

/** What differs between a zone as wanted and as served. */
export type Drift = { diff: ZoneDiff; soa: boolean; settings: boolean }

/** Compares a zone with what is served, the serial apart. */
export function driftOf(zone: DesiredZone, served: ApiZone): Drift {
  const [mname, rname, , ...timers] = soaOf(served).content.split(' ')
  const wanted = soaFields(zone, 0).filter((_, at) => at !== 2)
  const sameSoa = [mname, rname, ...timers].join(' ').toLowerCase() === wanted.join(' ')
  return {
    diff: diffRrsets(zone.name, servedRrsets(served), zone.rrsets),
    soa: !sameSoa || soaOf(served).ttl !== zone.soa.minimum,
    settings:
      served.kind !== SETTINGS.kind ||
      served.account !== ACCOUNT ||
      served.soa_edit_api !== '' ||
      !served.api_rectify,
  }
}

export function hasDrift({ diff, soa, settings }: Drift): boolean {
  return soa || settings || !isEmptyDiff(diff)
}

/** The serial in the served SOA itself: the one beside the zone may be an edited one. */
export function serialOf(served: ApiZone): number {
  return Number(soaOf(served).content.split(' ')[2] ?? served.serial)
}

/** The whole zone with its SOA, to be created; throws, like a difference does, on what is not canonical. */
export function wholeZone(zone: DesiredZone): ApiRrset[] {
  const { created } = diffRrsets(zone.name, [], zone.rrsets)
  return [soaRrset(zone, zone.serial), ...created.map((rrset) => toApi(rrset, zone.name))]
}

/** The changes that bring about `diff` and the serial. Deletes come first, for CNAME's sake. */
export function changesOf(zone: DesiredZone, diff: ZoneDiff, serial: number): ApiChange[] {
  const written = [...diff.changed, ...diff.created].map((rrset) => toApi(rrset, zone.name))
  return [
    ...diff.deleted.map(({ name, type }) => deletion(fqdn(name, zone.name), type)),
    ...[...written, soaRrset(zone, serial)].map((rrset) => ({ changetype: 'REPLACE' as const, ...rrset })),
  ]
}

function deletion(name: string, type: string): ApiChange {
  return { changetype: 'DELETE', name, type }
}

/** Served RRsets in the panel's form. One disabled record makes the RRset differ, so it is replaced. */
function servedRrsets(served: ApiZone): RRset[] {
  return served.rrsets.map(({ name, type, ttl, records }) => ({
    name,
    type,
    ttl: records.some((record) => record.disabled) ? -1 : ttl,
    values: records.map((record) => record.content),
  }))
}

function toApi({ name, type, ttl, values }: RRset, zone: string): ApiRrset {
  const records = values.map((content) => ({ content, disabled: false }))
  return { name: fqdn(name, zone), type, ttl, records }
}

/** A name that the server reported may hold characters that the panel never writes: it stays as it is. */
function fqdn(name: string, zone: string): string {
  return name.endsWith('.') ? name : absoluteName(name, zone)
}

function soaOf(served: ApiZone): { content: string; ttl: number } {
  const rrset = served.rrsets.find((one) => one.type === 'SOA')
  return { content: rrset?.records[0]?.content ?? '', ttl: rrset?.ttl ?? -1 }
}

function soaRrset(zone: DesiredZone, serial: number): ApiRrset {
  const records = [{ content: soaFields(zone, serial).join(' '), disabled: false }]
  return { name: `${zone.name}.`, type: 'SOA', ttl: zone.soa.minimum, records }
}

function soaFields({ soa }: DesiredZone, serial: number): string[] {
  const numbers = [serial, soa.refresh, soa.retry, soa.expire, soa.minimum]
  return [soa.mname.toLowerCase(), soa.rname.toLowerCase(), ...numbers.map(String)]
}
