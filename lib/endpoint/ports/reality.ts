import type { DesiredPages, PageKind } from './pages.ts'
import type { DesiredSftpAccount } from './sftp.ts'

/**
 * A difference between the node and the database. `folder` and `base`: a site's directory or a database is missing, which
 * only a backup brings back. `account`: an account of the database server, with its rights. `sftp`: an account of SFTP.
 * The others name what differs.
 */
export type Difference = {
  part:
    | 'user'
    | 'folder'
    | 'owner'
    | 'access'
    | 'state'
    | 'name'
    | 'certificate'
    | 'php'
    | 'settings'
    | 'base'
    | 'account'
    | 'sftp'
  /** A path, or the name of a host. */
  where: string
}

/** Whether only a copy brings it back. */
export const isLost = ({ part }: Difference): boolean => part === 'folder' || part === 'base'

/** A name that the web server knows, and the site that it leads to. */
export type ServedName = { host: string; clientId: number; siteId: number }

export type Comparison = {
  at: Date
  compared: number
  /** What is being repaired, client by client. */
  repaired: { client: string; differences: Difference[] }[]
  /** What is lost: directories of sites, databases. A client can be in both lists. */
  left: { client: string; differences: Difference[] }[]
  /** Names of no site, which are not served any more. */
  dropped: string[]
  /** Databases of nobody, which are in the bin now, and accounts of nobody, which are ended. */
  databases: string[]
  accounts: string[]
  /** Databases of clients that the database does not know, which are kept and closed. */
  aside: string[]
  /** Pages of the node's own that are shown anew. */
  pages: PageKind[]
}

/** Zones that were published anew, those of nobody that were removed, and those that the panel did not make. */
export type ZoneComparison = { at: Date; repaired: string[]; removed: string[]; foreign: string[] }

/** `sftp`: the accounts that it should have; which of them may write is not compared. */
export type ComparedClient = { clientId: number; suspended: boolean; sftp: DesiredSftpAccount[] }

/** What a node really holds, to be compared with the database, which wants a `Site`. Nothing here writes but `unserve`. */
export interface Reality<Site> {
  /** Of a site whose directory is missing, that alone. */
  differencesOf(client: ComparedClient, sites: Site[]): Difference[]
  lacksFolder(site: { clientId: number; siteId: number }): boolean
  names(): ServedName[]
  /** Clients of whom anything is on the node. */
  clients(): number[]
  /** Which pages are not shown as they should be. */
  pagesOff(pages: DesiredPages): PageKind[]
  /** Ends the serving of a name that leads where `name` says; one that leads elsewhere by now is left. */
  unserve(name: ServedName): void
  /** Keeps what was found last, for the node's services to tell. */
  tell(comparison: Comparison): void
  /** The same of the zones. */
  tellZones(zones: ZoneComparison): void
}
