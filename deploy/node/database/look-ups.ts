/** Rows kept; a panel looks up a few bearers again and again. */
const KEPT_ROWS = 1_000
const HEADER_BYTES = 48

/**
 * Rows that were looked up by one key, kept until anybody commits anything. Whether somebody did is told by the
 * header of the WAL index, memory that all connections of all processes share and that each commit changes
 * (SQLite's "WAL-mode file format", section 2.1): by it SQLite itself knows whether its pages are still good. A
 * look-up that is answered from here saves the driver's call and its two locks, most of what a bearer costs.
 */
export class LookUps {
  readonly #header: Uint32Array
  readonly #seen = new Uint32Array(HEADER_BYTES / 4)
  #rows = new Map<object, Map<string, unknown[]>>()
  #count = 0

  private constructor(header: Uint32Array) {
    this.#header = header
  }

  /** For a database that this process has open; null where it has no WAL index to look at. */
  static of(path: string): LookUps | null {
    try {
      const { buffer, byteOffset } = Bun.mmap(`${path}-shm`, { shared: true, size: HEADER_BYTES })
      return new LookUps(new Uint32Array(buffer, byteOffset, HEADER_BYTES / 4))
    } catch {
      return null
    }
  }

  /** What this statement answered for the key, if nothing was committed since; else what `look` answers now. */
  row(statement: object, key: string, look: () => unknown[] | undefined): unknown[] | undefined {
    if (this.#committed()) this.#forget()
    const known = this.#rows.get(statement)?.get(key)
    if (known) return known
    // Kept under the header as it was before: a commit during the look-up is seen at the next one.
    const row = look()
    if (row) this.#keep(statement, key, row)
    return row
  }

  #committed(): boolean {
    let changed = false
    for (let i = 0; i < this.#seen.length; i++) {
      const now = this.#header[i] ?? 0
      if (this.#seen[i] !== now) changed = true
      this.#seen[i] = now
    }
    return changed
  }

  #forget(): void {
    this.#rows = new Map()
    this.#count = 0
  }

  #keep(statement: object, key: string, row: unknown[]): void {
    if (this.#count >= KEPT_ROWS) this.#forget()
    const rows = this.#rows.get(statement) ?? new Map<string, unknown[]>()
    this.#rows.set(statement, rows.set(key, row))
    this.#count += 1
  }
}
