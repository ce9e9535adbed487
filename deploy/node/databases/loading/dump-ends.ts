const HEAD_BYTES = 400
const TAIL_BYTES = 400
/** The first words of `mariadb-dump` and `mysqldump`, whose last line says that all of it is there. */
const BEGINS = /^(?:\/\*M?!.*\n)?-- (?:MariaDB|MySQL) dump /
const LAST_LINE = '-- Dump completed'

/** Looks at the two ends of a dump that passes by: whether it was cut off, as far as a dump tells. */
export class DumpEnds {
  #head: Buffer = Buffer.alloc(0)
  #tail: Buffer = Buffer.alloc(0)

  add(part: Uint8Array): void {
    if (this.#head.length < HEAD_BYTES) {
      this.#head = Buffer.concat([this.#head, part.subarray(0, HEAD_BYTES - this.#head.length)])
    }
    this.#tail = Buffer.concat([this.#tail, part.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES)
  }

  /**
   * True for what says that it has more, which never came, and for what holds no SQL at all: a file that is empty, as an
   * upload that failed leaves it, or of zeros. Nobody can tell of other programs' dumps.
   */
  get isCutOff(): boolean {
    const head = this.#head.toString('latin1')
    if (head.trim() === '' || head.includes('\0')) return true
    return BEGINS.test(head) && !this.isToldWhole
  }

  /** True for what says that all of it is there. */
  get isToldWhole(): boolean {
    return BEGINS.test(this.#head.toString('latin1')) && this.#tail.includes(LAST_LINE)
  }
}
