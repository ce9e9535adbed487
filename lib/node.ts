import type { Words } from './words.ts'

/**
 * What a node can be asked to bring about. Every method describes a desired state, may be called again
 * from its start with the same result, and reports its named steps, so that a killed process resumes.
 * Implementations live in deploy/node; a host without a node has none.
 */
export interface NodeDriver {
  /** False for a driver that only records its work: sites then stay `preparando`. */
  readonly servesSites: boolean
  /** PHP versions that sites may choose here, ascending; empty where PHP is off. */
  phpVersions(): string[]
  /** Where a site's files are, to tell operators; null where there are none. */
  siteRoot(clientId: number, siteId: number): string | null
  /** Of what the sites' file system has least left: what has run out, when one of them has. */
  scarce(): 'disco' | 'inodos'
  /** What the sites' file system has none left of; null while there is some of both. */
  exhausted(): 'disco' | 'inodos' | null
  /** Unix user, directories, PHP pools and limits of one client. */
  applyClient(client: DesiredClient, step: Step): Promise<void>
  /**
   * Directory, host-name links and state of one site. Resolves when it is served, with the certificate that its
   * names show while no authority has given one; null where nothing is served.
   */
  applySite(site: DesiredSite, step: Step): Promise<SelfSigned | null>
  /** Ends serving of one site; its files go to the bin. */
  removeSite(
    site: { siteId: number; clientId: number; hosts: string[]; domain: string },
    step: Step,
  ): Promise<void>
  /** Ends everything of one client: pools, user, processes; files go to the bin in one rename. */
  removeClient(client: { clientId: number; hosts: string[]; name: string }, step: Step): Promise<void>
  /** Publishes a whole zone by difference, then answers its serial as served. */
  publishZone(zone: DesiredZone, step: Step): Promise<{ serial: number }>
  removeZone(name: string, step: Step): Promise<void>
  /** Turns signing on or off; answers the DS records in presentation form. */
  setDnssec(zone: string, active: boolean, step: Step): Promise<{ ds: string[] }>
  /**
   * Compares every zone with what is served and repairs what differs; where nothing does, nothing is
   * written. One zone that fails stops no other.
   */
  auditZones(zones: AsyncIterable<DesiredZone>, options: ZoneAuditOptions): Promise<ZoneAuditReport>
  /** Whether this node has an authority to ask for certificates. */
  readonly issuesCertificates: boolean
  /**
   * Makes the node serve a certificate for those of these names that resolve here: the one that it has, while
   * that has just these names and is not due, else a new one from the authority. `renew` asks for a new one in
   * any case. Throws CertificateError with the reason for the owner.
   */
  issueCertificate(
    request: { siteId: number; domain: string; names: string[]; renew?: boolean },
    step: Step,
  ): Promise<Certificate>
  /** Disk, inodes of the clients given; `source` says how it was measured. */
  measure(clientIds: number[]): Promise<DiskUse[]>
  /** Traffic since the given cursor, read from the web server's log; never the same bytes twice. */
  readTraffic(cursor: string | null): Promise<{ cursor: string; traffic: Traffic[] }>
  /** Removes for good the files that were deleted before that moment; answers how many deletions those were. */
  purgeTrash(before: Date): Promise<number>
  /** Keeps the logs that customers' programs write from growing without end; answers how many were put aside. */
  boundLogs(): Promise<number>
  services(): Promise<ServiceState[]>
}

/** Runs one named step; the name is stable, since the fault tests kill the process before and after it. */
export type Step = (name: string, run: () => Promise<void>) => Promise<void>

export type DesiredClient = {
  clientId: number
  name: string
  suspended: boolean
  /** PHP versions that the client's sites use; empty when the plan or the host gives no PHP. */
  php: string[]
  diskBytes: number | null
  inodes: number | null
}

export type DesiredSite = {
  siteId: number
  clientId: number
  domain: string
  aliases: string[]
  suspended: boolean
  httpsOnly: boolean
  /** Names that stay on plain HTTP all the same: no certificate that browsers trust covers them. */
  uncovered?: string[]
  php: string | null
}

export type RRset = { name: string; type: string; ttl: number; values: string[] }

/** Names relative to the zone, `@` the apex; without SOA, which follows from `serial` and `soa`. */
export type DesiredZone = {
  name: string
  serial: number
  soa: { mname: string; rname: string; refresh: number; retry: number; expire: number; minimum: number }
  rrsets: RRset[]
}

export type ZoneAuditOptions = {
  /** The zone as it should be at the moment of its repair, or null when it has gone; it may have changed. */
  reload?(name: string): Promise<DesiredZone | null>
  /** Whether a served zone that is not among those given may be deleted; those of other hands never are. */
  mayRemove?(name: string): Promise<boolean>
  /** Zones compared at once; 4 unless told. */
  parallel?: number
}

export type ZoneAuditReport = {
  compared: number
  /** Zones that were written, with the serial now served. */
  repaired: { zone: string; serial: number }[]
  removed: string[]
  /** Served, not ours, left alone. */
  foreign: string[]
  /** Zones whose comparison or repair failed, with what was thrown. */
  failed: { zone: string; error: unknown }[]
}

/** A site's own certificate, of no authority: what it covers and until when. */
export type SelfSigned = { names: string[]; expiresAt: Date }
export type Certificate = { issuer: string; issuedAt: Date; expiresAt: Date; names: string[] }
export type DiskUse = { clientId: number; diskBytes: number; inodes: number; source: 'cuota' | 'recorrido' }
export type Traffic = { clientId: number; day: string; bytesIn: number; bytesOut: number }
export type ServiceState = {
  name: string
  running: boolean
  version: string | null
  /** What an operator should do when it does not run; null when it does. */
  advice: Words | null
}
