import type { DatabaseLoad } from './loads.ts'
import type { Step } from './step.ts'
import type { DatabaseViews } from './views.ts'

/** The clients' databases on a node. Each client has one account without a password there, that of its Unix user. */
export interface DatabaseServer {
  /**
   * Makes all accounts, databases and rights of one client match this; sessions that are no longer allowed are ended.
   */
  sync(client: DesiredDatabases, step: Step): Promise<void>
  /**
   * A database's dump as gzip, sent while it is made, and broken off if it fails. 503 `no_disponible` if too many are
   * read at a time, or one of the reader's own; whoever reads too slowly is cut off. A null `reader` is the panel itself,
   * which waits for nobody.
   */
  dump(base: { name: string }, reader: { clientId: number } | null): Promise<ReadableStream<Uint8Array>>
  /**
   * Makes a dump all that a base holds, once it is whole; refused with an AppError, and then the base is as it was. One
   * that was lost is made anew. Its rights are to be set anew afterwards, however that ended.
   */
  load(load: DatabaseLoad, step: Step): Promise<void>
  /** Whether a base has neither tables nor views. */
  holdsNothing(base: { name: string }): Promise<boolean>
  /** False for a database that was lost at the server; loading a dump makes it anew. */
  isThere(base: { name: string }): Promise<boolean>
  /** Looking into databases by a browser; null where the node has no program for it. */
  views(): DatabaseViews | null
  /** Dumps a database into the bin, then removes it and the accounts that were only for it. */
  remove(base: HeldDatabase, step: Step): Promise<void>
  /** Removes the account of a client that has no databases any more. */
  removeAccount(clientId: number, step: Step): Promise<void>
  /** What the server has, to be compared with the panel's database; null while it does not run. */
  held(): Promise<HeldRealm | null>
  /** Closes a database that is nobody's to all, dumps it into the bin and ends it. */
  quarantine(name: string): Promise<void>
  /** Ends an account that is nobody's, with its sessions. */
  endAccount(account: HeldAccount): Promise<void>
  /** Closes the account of a client, and ends its sessions; it keeps its rights. */
  lockAccount(account: HeldAccount): Promise<void>
  /**
   * The size in bytes of every database, even of those that belong to no client; null while the server does not run.
   */
  measure(): Promise<Map<string, number> | null>
  /** The same of these alone, by their files: 0 for one that is not there. */
  sizes(names: string[]): Promise<Map<string, number>>
  /** Whether clients' bases have grown by so much lately that they are to be measured sooner than all. */
  hasGrown(): boolean
  /** These clients, each of which is told once for what it has grown by. */
  takeGrown(): number[]
  /** Gives the room that deleted rows left in these databases' files back to the disk. */
  reclaim(names: string[]): Promise<void>
  /** The bytes of that room in these, which `reclaim` gives back; 0 where the server does not tell at once. */
  free(names: string[]): Promise<number>
}

/** How a client's programs on the node reach their databases. */
export type DatabaseAccess = {
  socket: string
  /** On 127.0.0.1, for accounts with a password. */
  port: number
  /** A client's account is named by this prefix and the client's number. */
  userPrefix: string
}

/** Customers' databases and accounts as a server has them: `rights` are those of an account on a database. */
export type HeldRealm = {
  databases: string[]
  accounts: (HeldAccount & { locked: boolean })[]
  rights: (HeldAccount & { database: string })[]
}
/** The account of the Unix user of a client, or one with a password, which tells no client. */
export type HeldAccount = { name: string; clientId: number | null }

export type HeldDatabase = { clientId: number; client: string; databaseId: number; name: string }

export type DesiredDatabases = {
  clientId: number
  /** None of the client's accounts can connect, and their sessions are ended. */
  locked: boolean
  /** Nothing can be added; what is there can be read and deleted. */
  restricted: boolean
  /** A missing database is created only if `isNew`: one that existed once and is missing stays missing. */
  databases: { databaseId: number; name: string; isNew: boolean }[]
  accounts: { name: string; database: string; hash: string; readOnly: boolean }[]
}
