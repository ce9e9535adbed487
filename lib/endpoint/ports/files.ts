import type { FILE_OPERATIONS } from '../../../schema/states.ts'

/** A file or folder of a site: `path` is absolute below the site's folder. */
export type FilePlace = { clientId: number; siteId: number; domain: string; path: string }

/**
 * The files of sites, touched as their client and within its confinement alone. Refusals are AppErrors; nothing is
 * changed by what was refused.
 */
export type SiteFiles = {
  /** The entries of a folder after `after` in the order of their names, one more than `limit` where there are more. */
  list(at: FilePlace, page: { after: string | undefined; limit: number }): Promise<FileEntry[]>
  /** An ordinary file, to be read and then closed. */
  open(at: FilePlace): Promise<OpenFile>
  /** Gives a file this content in one step; one that is new or was there before. */
  write(at: FilePlace, content: NewContent): Promise<{ created: boolean; etag: string }>
  /** Removes a file or a link. */
  remove(at: FilePlace, conditions: Conditions): Promise<void>
  /** Does an operation on some paths of a site; the path of `at` is its folder's. */
  operate(at: FilePlace, operation: FileOperation): Promise<void>
  /** Begins an upload in parts; answers its id, and whether that was all of it. */
  beginUpload(at: FilePlace, upload: NewUpload): Promise<{ id: string; done: boolean }>
  /** How far an upload into this site is; 404 `subida_no_existe`. */
  upload(at: FilePlace, id: string): Promise<Upload>
  /** Adds to one: 409 where it is not at that offset. */
  append(at: FilePlace, part: UploadPart): Promise<{ offset: number; done: boolean }>
  dropUpload(at: FilePlace, id: string): Promise<void>
  /** Removes parts that nobody has added to since, and what a killed panel left; answers how many those were. */
  sweep(sites: Omit<FilePlace, 'path'>[], before: Date): Promise<number>
  /** A folder and all in it as a ZIP, made while it is read. */
  pack(at: FilePlace): Promise<ReadableStream<Uint8Array>>
}

export type NewUpload = {
  length: number
  /** Whether it takes the place of a file that is there. */
  replaces: boolean
  /** The most bytes that its owner has room for; null where nothing says. */
  room: number | null
}
export type Upload = { path: string; offset: number; length: number; expires: Date }
export type UploadPart = { id: string; offset: number; content: ReadableStream<Uint8Array> }

export type FileOperation = {
  /** Its own, the same when it is begun again. */
  id: string
  /** Whether an earlier run may have been cut short. */
  again: boolean
  kind: (typeof FILE_OPERATIONS)[number]
  paths: string[]
  target: string | null
  /** Ends it, with nothing half made, where nobody wants it any more. */
  signal: AbortSignal
  permissions: number | null
  /** The most bytes that its owner has room for; null where nothing says. */
  room: number | null
}

export type FileEntry = {
  name: string
  kind: 'archivo' | 'carpeta' | 'enlace'
  bytes: number
  modified: Date
  permissions: number
}
export type OpenFile = {
  bytes: number
  modified: Date
  /** A strong one, as `If-Match` takes it, but for a large file that was changed a moment ago. */
  etag: string
  /** The bytes from `from` to before `to`; closes the file when they have been read or are not wanted any more. */
  content(from: number, to: number): ReadableStream<Uint8Array>
  close(): Promise<void>
}
/** `If-Match` and `If-None-Match` of a change (RFC 9110 section 13.1); null where they were not sent. */
export type Conditions = { ifMatch: string | null; ifNoneMatch: string | null }
export type NewContent = Conditions & {
  content: ReadableStream<Uint8Array>
  /** How long it is, as far as that was told. */
  length: number | null
  /** The most bytes that its owner has room for; null where nothing says. */
  room: number | null
}
