import type { Secret } from '../../secrets/secret.ts'
import type { Step } from './step.ts'

/** A key that a zone is signed with, in the name server's own form. */
export type ZoneKey = { type: string; active: boolean; published: boolean; content: Secret }
/** A certificate of an authority's, as a host name is served with it. */
export type HostCertificate = { host: string; chainPem: string; keyPem: Secret }

/** What a client takes along to another node besides its files and rows: it cannot be made anew there. */
export interface Carriage {
  /** The keys of a zone that is served here; none where it is not signed. */
  zoneKeys(zone: string): Promise<ZoneKey[]>
  /** Has a served zone signed with these keys and no others. */
  takeZoneKeys(zone: string, keys: ZoneKey[], step: Step): Promise<void>
  /** The authority's certificates among those that these names are served with. */
  certificates(hosts: string[]): Promise<HostCertificate[]>
  /** Serves them, under names of sites that are here. */
  takeCertificates(certificates: HostCertificate[], step: Step): Promise<void>
}
