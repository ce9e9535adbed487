import type { FILE_OPERATIONS } from '../../../schema/states.ts'

/** A file or folder of a site: `path` is absolute below the site's folder. */
export type FilePlace = { clientId: number; siteId: number; domain: string; path: string }

/** The files of sites, accessed as their client and only in its cage. Refusals are `AppError`s and change nothing. */
export type SiteFiles = {
  /** Whether files of clients were changed here that are to be measured before all are. */
  hasChanged(): boolean
  /** These clients, each of which is told once for what was changed, and at most every ten seconds. */
  takeChanged(): number[]
  /**
   * The entries of a folder after the name `after`, in the order of their names; one more than `limit` if there are
   * more.
   */
  list(at: FilePlace, page: { after: string | undefined; limit: number }): Promise<FileEntry[]>
  /** Entries below a folder whose names contain a text, the nearest first; within fixed bounds of time and number. */
  search(at: FilePlace, text: string): Promise<Findings>
  /** What lies in the site's bin, the newest first, after the entry `after`. */
  bin(at: FilePlace, page: { after: string | undefined; limit: number }): Promise<BinPage>
  /** Opens a regular file for reading; the caller has to close it. */
  open(at: FilePlace): Promise<OpenFile>
  /** Gives a new or existing file this content in one step. */
  write(at: FilePlace, content: NewContent): Promise<{ created: boolean; etag: string }>
  /** Removes a file or a link. */
  remove(at: FilePlace, conditions: Conditions): Promise<void>
  /** Does an operation on several paths of a site, relative to the folder `at`. */
  operate(at: FilePlace, operation: FileOperation): Promise<void>
  /** Begins an upload in parts; returns its id, and whether it is already complete. */
  beginUpload(at: FilePlace, upload: NewUpload): Promise<{ id: string; done: boolean }>
  /** The progress of an upload into this site; 404 `subida_no_existe`. */
  upload(at: FilePlace, id: string): Promise<Upload>
  /** Appends a part to an upload; 409 if the upload is not at that offset. */
  append(at: FilePlace, part: UploadPart): Promise<{ offset: number; done: boolean }>
  dropUpload(at: FilePlace, id: string): Promise<void>
  /**
   * Removes uploads that nobody has added to since `before`, leftovers of a killed panel, and what was put into the bin
   * before `binBefore`; returns how many those were.
   */
  sweep(sites: Omit<FilePlace, 'path'>[], than: { before: Date; binBefore: Date }): Promise<number>
  /** A folder with all its content as a ZIP, made while it is read. */
  pack(at: FilePlace): Promise<ReadableStream<Uint8Array>>
}

export type NewUpload = {
  length: number
  /** Whether an existing file may be replaced. */
  replaces: boolean
  /** How many bytes its owner still has room for; null if unlimited or unknown. */
  room: number | null
}
export type Upload = { path: string; offset: number; length: number; expires: Date }
export type UploadPart = { id: string; offset: number; content: ReadableStream<Uint8Array> }

export type FileOperation = {
  /** The operation's own id, the same when it is run again. */
  id: string
  /** Whether an earlier run may have been cut short. */
  again: boolean
  kind: (typeof FILE_OPERATIONS)[number]
  paths: string[]
  /** Ids of entries of the bin; null for all of it. */
  entries: string[] | null
  target: string | null
  /**
   * What becomes of what is at the destinations: folders are then merged, and `replace` and `skip` are paths of what
   * was decided on by itself. Null where nothing may be there.
   */
  existing: { otherwise: 'refuse' | 'replace' | 'skip'; replace: Set<string>; skip: Set<string> } | null
  /** Aborted when nobody wants the operation any more; it then ends and leaves nothing half done. */
  signal: AbortSignal
  permissions: number | null
  /** How many bytes its owner still has room for; null if unlimited or unknown. */
  room: number | null
  /** The same of inodes, for what is unpacked. */
  inodes?: number | null
}

export type FileEntry = {
  name: string
  kind: 'archivo' | 'carpeta' | 'enlace'
  bytes: number
  modified: Date
  permissions: number
}
/** `whole` is false where a bound was reached, or a folder could not be read: there may be more. */
export type Findings = { found: { path: string; entry: FileEntry }[]; whole: boolean }
/** An entry of the bin; `path` is where it was. */
export type BinEntry = { id: string; path: string; deleted: Date; entry: FileEntry }
export type BinPage = { entries: BinEntry[]; next: string | null }
export type OpenFile = {
  bytes: number
  modified: Date
  /** A strong ETag, as `If-Match` needs; not for a large file that was changed a moment ago. */
  etag: string
  /**
   * The bytes from `from` up to, not including, `to`; closes the file when they have been read or are no longer
   * wanted.
   */
  content(from: number, to: number): ReadableStream<Uint8Array>
  close(): Promise<void>
}
/** `If-Match` and `If-None-Match` of a change (RFC 9110 section 13.1); null where they were not sent. */
export type Conditions = { ifMatch: string | null; ifNoneMatch: string | null }
export type NewContent = Conditions & {
  content: ReadableStream<Uint8Array>
  /** The length of the content, if it was announced. */
  length: number | null
  /** How many bytes its owner still has room for; null if unlimited or unknown. */
  room: number | null
}
