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

type SitePlace = { clientId: number; siteId: number }

/** What was deleted on a node and is kept there for a while, readable by root alone. */
export interface BinPort {
  /** What is in the bin, oldest first. */
  list(): BinEntry[]
  find(id: string): BinEntry | null
  /** Bytes on disk by id, of those that could be measured in this time; the others are known later. */
  sizes(entries: BinEntry[], withinMs: number): Promise<Map<string, number>>
  /** Whether a site has no files yet, so that deleted ones can become its own. */
  isBare(site: SitePlace): boolean
  /**
   * Restores deleted files: a site's become the document roots of an existing site and belong to its user; without a
   * site, or for a whole client, they go to a directory of root's. Returns the path; null if there is no such
   * entry. 409 `sitio_no_vacio` if the site already has files.
   */
  restore(id: string, to?: SitePlace): Promise<string | null>
  /** Where an entry goes that no site takes. */
  besides(entry: Pick<BinEntry, 'id' | 'deletedAt'>): string
  /** The dump of a deleted database. */
  openDump(id: string): Promise<DumpFile>
  /**
   * Removes for good what was deleted before that moment, or one entry. Returns what it removed. A directory that a
   * customer's process is still filling is left for the next time.
   */
  purge(which: { before: Date } | { id: string }): Promise<string[]>
}
