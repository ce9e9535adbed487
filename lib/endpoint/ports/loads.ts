/** How a dump is packed. */
export type Packing = 'none' | 'gzip' | 'zstd'

/** A dump that was opened to be read once. */
export type DumpFile = {
  bytes: number
  content: ReadableStream<Uint8Array>
  close(): Promise<void>
}

/** A dump that is to become all that a base holds. */
export type DatabaseLoad = {
  /** Its own, the same when it is begun again. */
  id: string
  base: { databaseId: number; clientId: number; name: string }
  packing: Packing
  open(): Promise<DumpFile>
  /** How large it may become, and what to tell of the client's where it does not fit; null where nothing says. */
  room: { bytes: number; held: number; limit: number } | null
  /** Bytes of the file that have been read. */
  reached(bytes: number, total: number): void
  signal: AbortSignal
}
