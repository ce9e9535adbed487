import { dlopen, FFIType } from 'bun:ffi'
import { closeSync, openSync, realpathSync } from 'node:fs'

/** <linux/fadvise.h>, <linux/fs.h> */
const DONTNEED = 4
const WAIT_BEFORE = 1

const kernel =
  process.platform === 'linux'
    ? dlopen('libc.so.6', {
        posix_fadvise: { args: [FFIType.i32, FFIType.i64, FFIType.i64, FFIType.i32], returns: FFIType.i32 },
        sync_file_range: { args: [FFIType.i32, FFIType.i64, FFIType.i64, FFIType.u32], returns: FFIType.i32 },
      }).symbols
    : null

/**
 * The pages of a database and its journal that Linux keeps in memory. After a failed write Linux keeps them as if
 * they had been written. If they are then changed again, ext4 reports success but leaves their blocks marked as never
 * written, so that they read as zeros once memory runs short.
 */
export class PageCache {
  readonly #path: string
  /** Never closed while SQLite has the file open: that would release SQLite's locks on it (fcntl(2)). */
  #database: number | null = null

  constructor(path: string) {
    this.#path = path
  }

  /** Makes the kernel read both files from the disk again. Pages that are still to be written stay. */
  forget(): void {
    this.#database ??= opened(this.#path)
    if (this.#database !== null) advise(this.#database)
    // SQLite's locks are on its shared memory, not on the journal.
    const journal = opened(journalOf(this.#path))
    if (journal === null) return
    advise(journal)
    closeSync(journal)
  }

  /**
   * Whether the disk has refused pages of the database since the last call. The kernel reports that once per handle,
   * so this one learns it even if SQLite noticed and did not say; asking costs no flush.
   */
  hasLost(): boolean {
    if (kernel === null || this.#database === null) return false
    return kernel.sync_file_range(this.#database, 0, 0, WAIT_BEFORE) !== 0
  }

  /** To be called after SQLite has closed the file. */
  close(): void {
    if (this.#database !== null) closeSync(this.#database)
    this.#database = null
  }
}

/** SQLite keeps the journal beside the file itself, even if the file is opened through a symbolic link. */
function journalOf(path: string): string {
  try {
    return `${realpathSync(path)}-wal`
  } catch {
    return `${path}-wal`
  }
}

function opened(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch {
    return null
  }
}

function advise(handle: number): void {
  kernel?.posix_fadvise(handle, 0, 0, DONTNEED)
}
