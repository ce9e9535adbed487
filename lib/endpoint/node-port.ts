import type { GroupCounters } from '../../schema/tables.ts'
import type { Words } from '../text/words.ts'
import type { SiteFiles } from './ports/files.ts'

/**
 * What a node can be asked to bring about. Every method describes a desired state, may be called again
 * from its start with the same result, and reports its named steps, so that a killed process resumes.
 * Implementations live in deploy/node; a host without a node has none.
 */
export interface NodeDriver {
  /** False where there is no web server: sites then stay `preparando`. */
  readonly servesSites: boolean
  /** PHP versions that sites may choose here, ascending; empty where PHP is off. */
  phpVersions(): string[]
  /** Where a site's files are, to tell operators; null where there are none. */
  siteRoot(clientId: number, siteId: number): string | null
  /** The scarcer resource of the sites' file system; when one has run out, it is this one. */
  scarce(): 'disco' | 'inodos'
  /** The resource that the sites' file system has run out of; null while it has some of both. */
  exhausted(): 'disco' | 'inodos' | null
  /** Unix user, directories, PHP pools and limits of one client. */
  syncClient(client: DesiredClient, step: Step): Promise<void>
  /**
   * Directory, host-name links and state of one site. Resolves when it is served, with the certificate that its
   * names show while no authority has given one; null where nothing is served.
   */
  syncSite(site: DesiredSite, step: Step): Promise<SelfSigned | null>
  /**
   * Makes the node forget the pages that it keeps of a site; resolves when none of them is answered any more, and
   * programs that were changed before are run as they are now.
   */
  emptyPages(site: { siteId: number; clientId: number }, step: Step): Promise<void>
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
  /** What runs of the clients given; empty where the node has no control groups. */
  measureGroups(clientIds: number[]): Promise<GroupUse[]>
  /** Clients that stand out by what they take or were refused; null where the node has no control groups. */
  busiest(): Busy[] | null
  /** Traffic since the given cursor, read from the web server's log; never the same bytes twice. */
  readTraffic(cursor: string | null): Promise<{ cursor: string; traffic: Traffic[] }>
  /** Removes for good the files that were deleted before that moment; answers how many deletions those were. */
  purgeTrash(before: Date): Promise<number>
  /** Keeps the logs that customers' programs write from growing without end; answers how many were put aside. */
  boundLogs(): Promise<number>
  /** Runs a program as a client. Throws CageRefused where it cannot be, as for one that is suspended. */
  runCaged(program: CagedProgram): Promise<Caged>
  /** How clients' programs reach their databases; null where the node has none. */
  readonly databaseAccess: DatabaseAccess | null
  readonly databases: DatabaseServer | null
  /** Mail that customers' programs left to be sent; null where none is sent. */
  readonly mail: MailSpool | null
  /** Where SFTP accounts sign in here; null where they cannot. */
  sftp(): SftpServer | null
  /** What was used of SFTP accounts since a moment of this node's clock. */
  sftpUses(since: Date | null): SftpUse[]
  /** The sites' files, for their owners; null where there are none. */
  readonly files: SiteFiles | null
  services(): Promise<ServiceState[]>
}

/** A client as its programs see it: its sites are `/sitios/<domain>`. */
type CagedClient = { clientId: number; sites: readonly { siteId: number; domain: string }[] }

/** A program that runs as a client: its Unix user, its group, its tree alone; no shell, an environment of the panel's. */
export type CagedProgram = {
  client: CagedClient
  /** All of its sites, or one alone, by its domain. */
  sees: 'client' | { site: string }
  /** The program by its real name, in Debian's places, and its arguments. */
  argv: readonly [string, ...string[]]
  /** In which directory of its view; `/sitios` unless told. */
  directory?: string
  /** Whether it reaches the network; it has none unless told. */
  network?: boolean
  /** All that it started ends then. */
  deadlineMs: number
  /** The longest file that it may write. */
  fileBytes?: number
  /** Whether it may change nothing of its tree. */
  readOnly?: boolean
  /** Whether its errors come with its other words, in their order. */
  joined?: boolean
  /** What it reads; nothing unless told. */
  stdin?: 'ignore' | 'pipe'
  /** Files, directories or sockets of the node that it sees as well; it cannot change them. */
  shows?: readonly { from: string; at: string }[]
}

/** A caged program that was begun. */
export type Caged = {
  /** What it reads; `write` resolves when there is room for more. Null unless asked for. */
  stdin: { write(bytes: Uint8Array): Promise<void>; end(): void } | null
  /** A program whose words nobody takes waits until its deadline. */
  stdout: ReadableStream<Uint8Array>
  ended: Promise<CagedEnd>
  /** Ends all of its processes. */
  stop(): void
}

export type CagedEnd = {
  /** Null where a signal ended it. */
  code: number | null
  signal: number | null
  /** `refused`: it was begun, and yet its cage could not be made. */
  reason: 'exit' | 'deadline' | 'stopped' | 'refused'
  /** The last 64 KiB of what it said there. */
  stderr: string
}

/** The clients' databases on a node. Each client has one account there: that of its Unix user, without a password. */
export interface DatabaseServer {
  /** Accounts, bases and rights of one client, all of them as wanted; sessions that may no longer be are ended. */
  sync(client: DesiredDatabases, step: Step): Promise<void>
  /** A base's dump as gzip, read while it is made; broken off where it fails. 503 `no_disponible` for too many at a time. */
  dump(base: { name: string }): Promise<ReadableStream<Uint8Array>>
  /** Dumps a base into the bin, then removes it and the accounts that were for it alone. */
  remove(base: HeldDatabase, step: Step): Promise<void>
  /** Removes a client's account, which has no bases any more. */
  removeAccount(clientId: number, step: Step): Promise<void>
  /** Bytes of every base there is, those of no client too; null while the server does not run. */
  measure(): Promise<Map<string, number> | null>
  /** Gives the room back that deleted rows left in the files of these bases. */
  reclaim(names: string[]): Promise<void>
}

/** How a client's programs on the node reach their databases. */
export type DatabaseAccess = {
  socket: string
  /** On 127.0.0.1, for accounts with a password. */
  port: number
  /** A client's account is called this and its number. */
  userPrefix: string
}

export type HeldDatabase = { clientId: number; client: string; databaseId: number; name: string }

export type DesiredDatabases = {
  clientId: number
  /** No account of the client's gets in, and those that are in are put out. */
  locked: boolean
  /** Nothing grows; what is there can be read and deleted. */
  restricted: boolean
  /** `isNew`: made where it is missing. One that was made before and is missing is left so. */
  databases: { name: string; isNew: boolean }[]
  accounts: { name: string; database: string; hash: string; readOnly: boolean }[]
}

/** The port of a node's SFTP, and by what clients know that it is the one. */
export type SftpServer = { port: number; fingerprints: string[] }
/** The last time that an account began a session, or that its password was taken. */
export type SftpUse = { account: string; kind: 'session' | 'password'; at: Date }

/** An account that may sign in: with a key, in the form `type base64`, or with the password that has this hash. */
export type DesiredSftpAccount = {
  name: string
  /** The only site that it sees; null is all of the client's. */
  siteId: number | null
  keys: string[]
  passwordHash: string | null
  readOnly: boolean
}

/**
 * The mail that clients' programs leave, in a directory of each client. A message's name is unique within its client.
 */
export type MailSpool = {
  /** Clients that left something. */
  waiting(): number[]
  /** The client's messages that may be tried now, oldest first. */
  due(clientId: number, now: Date): string[]
  /**
   * Counts recipients against the client's limit for the UTC day; false, and not counted, where they would exceed it.
   */
  charge(clientId: number, recipients: number, now: Date): boolean
  /** Recipients and text of a message; null for a file that is no message, which is then put aside. */
  read(clientId: number, name: string): { to: string[]; message: Uint8Array } | null
  /** Forgets a message that was handed over. */
  sent(clientId: number, name: string): void
  /** Tries a message again later, or puts it aside after the last try. */
  postpone(clientId: number, name: string, now: Date): void
  /** Puts aside a message that will not be sent, for its client to see. */
  putAside(clientId: number, name: string): void
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
  limits: GroupLimits
  /** Those that may sign in now: none of a suspended client's, and none unless told. */
  sftp?: DesiredSftpAccount[]
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
  httpsOnly: boolean
  /** Names that stay on plain HTTP although the site wants HTTPS: no certificate that browsers trust covers them. */
  uncovered?: string[]
  php: string | null
  /** What nginx and browsers keep for a while; nothing where left out. */
  cache?: DesiredCache | null
}

export type DesiredCache = {
  /** Pages of programs, and by which parameters of a query they may differ. */
  pages: { seconds: number; parameters: string[] } | null
  /** Whether browsers are to keep pictures, styles, scripts and the like for long. */
  longLivedFiles: boolean
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
export type DiskUse = {
  clientId: number
  diskBytes: number
  inodes: number
  source: 'cuota' | 'recorrido'
  /** Something could not be read: there is at least as much. */
  partial?: boolean
}
/** What a client's control groups tell; null is what the kernel of the node does not count or limit. */
export type GroupUse = {
  clientId: number
  memoryBytes: number | null
  memoryLimit: number | null
  processes: number | null
  processLimit: number | null
  counters: GroupCounters
}
/** Of the processors since the look before, 100 being one; `weight` from 1 on is more than a fair part. */
export type Busy = GroupUse & { cpuPercent: number | null; weight: number }
export type Traffic = { clientId: number; day: string; bytesIn: number; bytesOut: number }
export type ServiceState = {
  name: string
  running: boolean
  version: string | null
  /** What an operator should do when it does not run; null when it does. */
  advice: Words | null
}
