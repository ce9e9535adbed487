import { AppError, noSpace } from '../../../../lib/endpoint/errors.ts'

const MOST_ENTRIES = 200_000
/** Longer than any path that can be made. */
const LONGEST = 65_536
/** The folder that the content is unpacked into. */
const OWN = 1

/**
 * Counts what an archive's listing names, line by line, and refuses what is too much: 422 for an archive that no one
 * makes, 507 for more than its owner may have. Folders that are only parts of other names are made too, and count.
 */
export class EntryCount {
  readonly #inodes: number | null
  readonly #decoder = new TextDecoder()
  /** By their hashes: names can be long. */
  readonly #paths = new Set<number | bigint>()
  #entries = 0
  #rest = ''

  /** `inodes`: how many its owner has left; null if unlimited or unknown. */
  constructor(inodes: number | null) {
    this.#inodes = inodes
  }

  /** Takes the next part of the listing. */
  feed(chunk: Uint8Array): void {
    const lines = `${this.#rest}${this.#decoder.decode(chunk, { stream: true })}`.split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#add(line)
    if (this.#rest.length > LONGEST) throw new AppError('archivo_peligroso')
  }

  #add(line: string): void {
    if (++this.#entries > MOST_ENTRIES) throw new AppError('archivo_peligroso')
    if (this.#inodes === null) return
    let path = ''
    for (const name of line.split('/')) {
      if (name === '' || name === '.') continue
      path += `/${name}`
      this.#paths.add(Bun.hash(path))
    }
    if (this.#paths.size + OWN > this.#inodes) throw noSpace('inodos')
    if (this.#paths.size > MOST_ENTRIES) throw new AppError('archivo_peligroso')
  }
}
