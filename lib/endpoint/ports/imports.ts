import type { IMPORT_ORIGINS } from '../../../schema/states.ts'
import type { SiteOfCopy } from './backups.ts'
import type { DumpFile } from './loads.ts'

export type ImportOrigin = (typeof IMPORT_ORIGINS)[number]

/** An archive of another panel, by its name in the directory of imports; a client's programs unpack it. */
export type ImportArchive = { clientId: number; name: string }

export type FoundArchive = { name: string; bytes: number; modified: Date }

/** A `.htaccess`, as far as it is read; null for one that is a link. */
export type RulesText = { text: string; whole: boolean } | null

/** Gathers the files that tell how a web server answers; paths are without a leading `./`. */
export type RulesReader = {
  isRules(path: string): boolean
  rules(path: string, content: RulesText): void
}

/** What is gathered from an archive's list: paths are without a leading `./`. */
export type ArchiveReader = RulesReader & {
  /** Whether this file is read besides; only small ones are. */
  isText(path: string): boolean
  entry(path: string, bytes: number): void
  text(path: string, content: string): void
  /** For an archive within this one that has such files: who gathers them, told as well where it cannot be read. */
  inner(path: string): (RulesReader & { unreadable(): void }) | null
}

export type ImportedSite = {
  id: string
  site: SiteOfCopy
  content: { member: string | null; folder: string; without: string[] }
  /** New names of databases, by the old ones, for the programs' settings. */
  databases: Record<string, string>
  /** How large it may become; null where nothing says. */
  room: number | null
  signal: AbortSignal
}

/** `links` were left out, `settings` are files that now name the new databases. */
export type PlacedSite = { bytes: number; links: number; settings: string[] }

/** Archives of other panels. They are read by the client's own programs in its cage, the panel passes bytes on. */
export interface Imports {
  /** The files in the directory of imports, by name. */
  list(): FoundArchive[]
  /** Refuses a name that is no file of that directory. */
  require(name: string): void
  /** Reads the list and the small files of an archive; 422 `archivo_peligroso` for what none should hold. */
  read(archive: ImportArchive, reader: ArchiveReader, signal: AbortSignal): Promise<void>
  /** Puts a site's files in the place of what its folder holds, whole or not at all. */
  placeSite(archive: ImportArchive, wanted: ImportedSite): Promise<PlacedSite>
  /** A file of the archive, to be read once. */
  openMember(archive: ImportArchive, member: { path: string; bytes: number }): Promise<DumpFile>
}
