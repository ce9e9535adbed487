import type { DumpFile } from './loads.ts'

export type Deleted =
  | { kind: 'client'; clientId: number; name: string }
  | { kind: 'site'; clientId: number; siteId: number; domain: string }
  | { kind: 'database'; clientId: number; databaseId: number; name: string; client: string }

/** Client and number of a database that was nobody's. */
export const NOBODY = 0

/** Stands for the name of what belonged to nobody that the database knows. */
export const UNKNOWN = '?'

export type BinEntry = Deleted & { id: string; deletedAt: Date }

/** What deleted sites were set to, as text that only the panel reads. */
export type KeptSettings = {
  content: string
  /** Whether it is kept where there are no files to keep. */
  isWorthAlone: boolean
}

export type SitePlace = { clientId: number; siteId: number }

/** What was deleted on a node and is kept there for a while, readable by root alone. */
export interface BinPort {
  /** What is in the bin, oldest first: all, or where what was this client's can lie. */
  list(clientId?: number): BinEntry[]
  /** The entry of this id, looked for where it can lie if it was this client's. */
  find(id: string, clientId?: number): BinEntry | null
  /** Bytes on disk by id, of those that could be measured in this time; the others are known later. */
  sizes(entries: BinEntry[], withinMs: number): Promise<Map<string, number>>
  /** Whether a site has no files yet where it would get those of the entry. */
  isBare(site: SitePlace, id: string, from?: number): boolean
  /**
   * Restores deleted files: a site's become the document roots of an existing site and belong to its user; without a
   * site, or for a whole client, they go to a directory of root's, and what its sites were set to
   * beside it, with `.json` behind its name. Returns the path; null if there is no such
   * entry. 409 `sitio_no_vacio` if the site already has files. `endsProcesses`: what runs as the client that has the
   * entry's number ends first, which is right only where the entry was that client's. `from`: the number of one site of a whole
   * client, which alone is restored; the rest stays in the bin, and null is that this site has left it.
   */
  restore(
    id: string,
    to?: SitePlace,
    how?: { endsProcesses: boolean; from?: number | undefined },
  ): Promise<string | null>
  /** Whether the entry of a whole client still has the files of one of its sites. */
  holdsSite(id: string, siteId: number): boolean
  /** What an entry's sites were set to; null where nothing of that was kept. */
  keptSettings(id: string): string | null
  /** Where an entry goes that no site takes. */
  besides(entry: Pick<BinEntry, 'id' | 'deletedAt'>): string
  /** The dump of a deleted database. */
  openDump(id: string): Promise<DumpFile>
  /**
   * Removes for good what was deleted before that moment, or one entry: it leaves the bin at once, and is not found
   * while it is removed. Returns what is gone. What a customer's process is still filling is left for the next time,
   * and so is what is being restored, which stays in the bin.
   */
  purge(which: { before: Date } | { id: string }): Promise<string[]>
}
