import type { GroupCounters, KeptClasses, SiteErrorPages } from '../../schema/tables.ts'
import type { Words } from '../text/words.ts'
import type { Applications } from './ports/applications.ts'
import type { Backups } from './ports/backups.ts'
import type { BinPort, KeptSettings } from './ports/bin.ts'
import type { Carriage } from './ports/carriage.ts'
import type { DatabaseAccess, DatabaseServer } from './ports/databases.ts'
import type { SiteFiles } from './ports/files.ts'
import type { Imports } from './ports/imports.ts'
import type { SiteLogs } from './ports/logs.ts'
import type { MailSpool } from './ports/mail.ts'
import type { AskedSite, DesiredPages, FirstPage } from './ports/pages.ts'
import type { Reality } from './ports/reality.ts'
import type { DesiredSftpAccount } from './ports/sftp.ts'
import type { Step } from './ports/step.ts'

export type { Step } from './ports/step.ts'

/**
 * What the panel can ask of a node. Every method that changes something describes a desired state, may be called
 * again from its start with the same result, and reports its named steps, so that a killed process resumes.
 * Implementations are in deploy/node; a host without a node has none.
 */
export interface NodeDriver extends Carriage {
  /** False without a web server: sites then stay `preparando`. */
  readonly servesSites: boolean
  /** PHP versions that sites may choose here, ascending; empty if PHP is off. */
  phpVersions(): string[]
  /** The extensions that each of them has, in alphabetical order. */
  phpExtensions(): Record<string, string[]>
  /** The directory of a site's files, shown to operators; null if there is none. */
  siteRoot(clientId: number, siteId: number, webRoot: string): string | null
  /** Which resource of the sites' file system is closer to running out. */
  scarce(): 'disco' | 'inodos'
  /** Which resource of the sites' file system has run out; null if neither has. */
  exhausted(): 'disco' | 'inodos' | null
  /** Unix user, directories, PHP pools and limits of one client. */
  syncClient(client: DesiredClient, step: Step): Promise<void>
  /**
   * Directory, host-name links and state of one site. Resolves once the site is served, with the self-signed
   * certificate that its names show as long as no authority has issued one; null if nothing is served.
   */
  syncSite(site: DesiredSite, step: Step): Promise<SyncedSite | null>
  /**
   * Empties a site's page cache. Resolves when no cached page is answered any more and changed programs run as they
   * are now.
   */
  emptyPages(site: { siteId: number; clientId: number }, step: Step): Promise<void>
  /** Stops serving one site and moves its files to the bin, with what it was set to. */
  removeSite(
    site: { siteId: number; clientId: number; hosts: string[]; domain: string; kept?: KeptSettings },
    step: Step,
  ): Promise<void>
  /** Shows these pages where no site is served. Resolves once the web server answers with them. */
  showPages(pages: DesiredPages, step: Step): Promise<void>
  /** Removes a client's pools, processes and user, and moves its files to the bin in one rename. */
  removeClient(
    client: { clientId: number; hosts: string[]; name: string; kept?: KeptSettings },
    step: Step,
  ): Promise<void>
  /** Publishes a whole zone by writing only the difference, and returns the serial that is now served. */
  publishZone(zone: DesiredZone, step: Step): Promise<{ serial: number }>
  removeZone(name: string, step: Step): Promise<void>
  /** Turns signing on or off; returns the DS records in presentation form. */
  setDnssec(zone: string, active: boolean, step: Step): Promise<{ ds: string[] }>
  /**
   * Compares every zone with what is served and repairs differences; equal zones are not written. A zone that fails
   * does not stop the others.
   */
  auditZones(zones: AsyncIterable<DesiredZone>, options: ZoneAuditOptions): Promise<ZoneAuditReport>
  /** Whether there is a mail server for what customers' programs send. */
  readonly sendsMail: boolean
  /** Whether this node has a certificate authority to ask. */
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
  /** Disk and inodes of these clients; `source` says how they were measured. */
  measure(clientIds: number[]): Promise<DiskUse[]>
  /** What these clients' control groups use; empty if the node has none. */
  measureGroups(clientIds: number[]): Promise<GroupUse[]>
  /** Clients that use a large part of the node or hit a limit; null if the node has no control groups. */
  busiest(): Busy[] | null
  /** Traffic since this cursor, read from the web server's log; the same bytes are never returned twice. */
  readTraffic(cursor: string | null): Promise<{ cursor: string; traffic: Traffic[] }>
  /** What the machine does; processor time is counted since this was last asked. */
  readLoad(): Promise<NodeLoad>
  /** What was deleted here and can be restored; null where there are no sites. */
  readonly bin: BinPort | null
  /** Removes for good what was deleted before that moment; returns how many deletions that was. */
  purgeTrash(before: Date): Promise<number>
  /**
   * Rotates the logs that customers' programs write so that they cannot grow without end; returns how many it
   * rotated.
   */
  boundLogs(): Promise<number>
  /** Shortens the addresses in this node's logs that are older than a moment; answers in how many files. */
  shortenLogs(before: Date): Promise<number>
  /** Runs a program as a client. Throws `CageRefused` if that is not possible, as for a suspended client. */
  runCaged(program: CagedProgram): Promise<Caged>
  /** How clients' programs reach their databases; null if the node has none. */
  readonly databaseAccess: DatabaseAccess | null
  readonly databases: DatabaseServer | null
  /** Mail of customers' programs that waits to be sent; null if the node sends none. */
  readonly mail: MailSpool | null
  /** Where SFTP accounts sign in; null if this node has no SFTP. */
  sftp(): SftpServer | null
  /** Sign-ins of SFTP accounts since a moment of this node's clock. */
  sftpUses(since: Date | null): SftpUse[]
  /** The sites' files, as their owners may use them; null if there are none. */
  readonly files: SiteFiles | null
  /** What is installed into sites; null where a node has no databases for it. */
  readonly applications: Applications | null
  /** Copies of clients; null where a node cannot make any. */
  readonly backups: Backups | null
  /** Archives of other panels; null where none can be imported. */
  readonly imports: Imports | null
  /** What is really there, to be compared with the database; null where there are no sites. */
  readonly reality: Reality<DesiredSite> | null
  /** The sites' logs; null where there are none. */
  readonly siteLogs: SiteLogs | null
  /** What visitors get at a site's first page, asked of the web server here; null where there is none. */
  readonly firstPage: ((site: AskedSite) => Promise<FirstPage>) | null
  /** Whether the sites' file system counts what each client has; null where there are no sites. */
  hasQuota(): Promise<boolean | null>
  services(): Promise<ServiceState[]>
  /** The names of services that are down, as the panel knows without asking them. */
  fallen(): string[]
}

/** A client as its programs see it: each of its sites is `/sitios/<domain>`. */
type CagedClient = { clientId: number; sites: readonly { siteId: number; domain: string }[] }

/**
 * A program that runs as a client: with its Unix user and control group, seeing only its files; without a shell, in
 * an environment that the panel sets.
 */
export type CagedProgram = {
  client: CagedClient
  /** All of its sites, or the one with this domain. */
  sees: 'client' | { site: string }
  /** The program's real path, in one of Debian's directories, and its arguments. */
  argv: readonly [string, ...string[]]
  /** The working directory, as the program sees it; `/sitios` by default. */
  directory?: string
  /** Whether it may use the network; by default not. */
  network?: boolean
  /** After this long the program and everything that it started is ended. */
  deadlineMs: number
  /** The size of the largest file that it may write. */
  fileBytes?: number
  /** Whether the client's files are read only for it. */
  readOnly?: boolean
  /** Whether stderr is merged into stdout, in order. */
  joined?: boolean
  /** Its standard input; none by default. */
  stdin?: 'ignore' | 'pipe'
  /** Further files, directories or sockets of the node that it sees, read only. */
  shows?: readonly { from: string; at: string }[]
}

/** A caged program that was started. */
export type Caged = {
  /** The program's standard input, if asked for; `write` resolves when there is room for more. */
  stdin: { write(bytes: Uint8Array): Promise<void>; end(): void } | null
  /** If nobody reads this, the program blocks until its deadline. */
  stdout: ReadableStream<Uint8Array>
  ended: Promise<CagedEnd>
  /** Ends all processes of the program. */
  stop(): void
}

export type CagedEnd = {
  /** The exit code; null if a signal ended it. */
  code: number | null
  signal: number | null
  /** `refused`: the keeper accepted it, but its cage could not be set up. */
  reason: 'exit' | 'deadline' | 'stopped' | 'refused'
  /** The last 64 KiB of standard error. */
  stderr: string
}

/** The port of a node's SFTP, and the fingerprints of its host keys. */
export type SftpServer = { port: number; fingerprints: string[] }
/** When an account last began a session, or its password was last accepted. */
export type SftpUse = { account: string; kind: 'session' | 'password'; at: Date }

export type DesiredClient = {
  clientId: number
  name: string
  suspended: boolean
  /** PHP versions that the client's sites use; empty when the plan or the host gives no PHP. */
  php: string[]
  diskBytes: number | null
  inodes: number | null
  limits: GroupLimits
  /** The accounts that may sign in now; none for a suspended client, and none by default. */
  sftp?: DesiredSftpAccount[]
  /** How many recipients its programs may still write to today; if absent, what was told before holds. */
  mailsLeft?: number
}

/** The limits of all processes of a client; null is unlimited, and 100 % is one processor. */
type GroupLimits = {
  cpuPercent: number | null
  memoryBytes: number | null
  processes: number | null
}

export type DesiredSite = {
  siteId: number
  clientId: number
  domain: string
  aliases: string[]
  suspended: boolean
  /** It was served before, by this node: what lies in its directory is its own. */
  known?: boolean
  /** Suspended by itself, whatever its client is: it is about to be served by another node, or was. */
  held?: true
  /** Its files are not back after the loss of its node: visitors are told to come again while nothing is there. */
  awaited?: Awaited | null
  /** Databases that its programs may use are not back after the loss of its node: nobody meets the programs before. */
  databasesAwaited?: Awaited | null
  httpsOnly: boolean
  /** Names that stay on plain HTTP although the site wants HTTPS: no certificate that browsers trust covers them. */
  uncovered?: string[]
  /** Names that show the authority's certificate, which is valid. */
  certified?: string[]
  php: string | null
  /** What nginx and browsers may cache; nothing if left out. */
  cache?: DesiredCache | null
  /** How its addresses are answered; the ordinary way where left out. */
  rules?: DesiredRules
  /** Its PHP's limits; null or left out: the ordinary ones. */
  phpSettings?: DesiredPhpSettings | null
}

export type DesiredPhpSettings = {
  memoryBytes: number
  /** The largest request body. */
  uploadBytes: number
  seconds: number
  inputVariables: number
  showErrors: boolean
}

export type DesiredRules = {
  /** Below the site's folder; nothing above it is served. */
  webRoot: string
  /** Whether addresses of no file are answered by index.html. */
  singlePage: boolean
  /** The names of files that answer for a folder; the ordinary ones where left out. */
  indexFiles?: string[]
  redirects: DesiredRedirect[]
  /** Parts of the site that a password opens; nobody gets in before there is one. */
  guards: { path: string; user: string; secret: string | null }[]
  /** Files of the site that are answered in place of the panel's own pages; left out where there are none. */
  errorPages?: SiteErrorPages
}

/** Both may end in an asterisk: the rest of the address, taken along. */
/** Whether what a lost node held is still to come back, or could not be brought back. */
export type Awaited = 'coming' | 'failed'

export type DesiredRedirect = { from: string; to: string; status: number }

export type DesiredCache = {
  /** How long pages of programs are cached, and which query parameters distinguish them. */
  pages: { seconds: number; parameters: string[] } | null
  /** Whether browsers are told to keep pictures, styles, scripts and the like for long. */
  longLivedFiles: boolean
  /** The same for classes of files, which have a time of their own. */
  classes?: KeptClasses
}

export type RRset = { name: string; type: string; ttl: number; values: string[] }

/** Names are relative to the zone, `@` is the apex; without the SOA record, which is made of `serial` and `soa`. */
export type DesiredZone = {
  name: string
  serial: number
  soa: { mname: string; rname: string; refresh: number; retry: number; expire: number; minimum: number }
  rrsets: RRset[]
}

export type ZoneAuditOptions = {
  /** The zone as it should be when it is repaired, or null if it is gone: it may have changed since. */
  reload?(name: string): Promise<DesiredZone | null>
  /** Whether a served zone that is not among those given may be deleted. Zones that others made are never deleted. */
  mayRemove?(name: string): Promise<boolean>
  /** How many zones are compared at once; 4 by default. */
  parallel?: number
}

export type ZoneAuditReport = {
  compared: number
  /** Zones that were written, with the serial that is now served. */
  repaired: { zone: string; serial: number }[]
  removed: string[]
  /** Served zones that the panel did not make; left alone. */
  foreign: string[]
  /** Zones whose comparison or repair failed, and the error. */
  failed: { zone: string; error: unknown }[]
}

/** The certificate that the panel signed for a site itself: its names and its end. */
export type SelfSigned = { names: string[]; expiresAt: Date }
/** `lost`: names whose certificate of the authority's is away here, and has to be asked for again. */
type SyncedSite = { selfSigned: SelfSigned; lost: string[] }
export type Certificate = { issuer: string; issuedAt: Date; expiresAt: Date; names: string[] }
export type DiskUse = {
  clientId: number
  diskBytes: number
  inodes: number
  source: 'cuota' | 'recorrido'
  /** Something could not be read, so the real use may be higher. */
  partial?: boolean
}
/** What a client's control group reports; null for whatever the node's kernel does not count or limit. */
export type GroupUse = {
  clientId: number
  memoryBytes: number | null
  memoryLimit: number | null
  processes: number | null
  processLimit: number | null
  counters: GroupCounters
}
/**
 * `cpuPercent` is the processor time since the previous look, 100 being one processor; a `weight` of 1 or more is
 * more than a fair share.
 */
export type Busy = GroupUse & { cpuPercent: number | null; weight: number }
/** Memory and disk that are used; null where it is not known, and of the processors when it is asked first. */
export type NodeLoad = {
  cpuSeconds: Record<'busy' | 'idle', number> | null
  memoryBytes: number | null
  diskBytes: number | null
}
export type Traffic = { clientId: number; day: string; bytesIn: number; bytesOut: number }
export type ServiceState = {
  name: string
  running: boolean
  version: string | null
  /** What an operator should do when it does not run; null when it does. */
  advice: Words | null
}
