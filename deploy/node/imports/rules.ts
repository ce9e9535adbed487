import type { Caged } from '../../../lib/endpoint/node-port.ts'
import type { ArchiveReader, RulesReader } from '../../../lib/endpoint/ports/imports.ts'
import { type Listed, type Sink, TarIndex } from '../backups/tar-index.ts'

/** Of a longer file the beginning is read. */
const MOST_RULES_BYTES = 65_536

/** What is read of an archive before the program within has taken it. */
const MOST_AHEAD_BYTES = 4 * 1_048_576

type InnerReader = NonNullable<ReturnType<ArchiveReader['inner']>>

/** The path of an entry, without a leading slash. */
export const bare = ({ path }: Pick<Listed, 'path'>): string => path.slice(1)

/** Gathers a file that tells how a web server answers; null for any other. */
export function rulesSink(reader: RulesReader, entry: Listed): Sink | null {
  const path = bare(entry)
  if (entry.kind !== 'archivo' || !reader.isRules(path)) return null
  const parts: Uint8Array[] = []
  let gathered = 0
  return {
    add(part) {
      if (gathered < MOST_RULES_BYTES) parts.push(new Uint8Array(part))
      gathered += part.length
    },
    end() {
      const text = Buffer.concat(parts).subarray(0, MOST_RULES_BYTES).toString()
      reader.rules(path, { text, whole: gathered <= MOST_RULES_BYTES })
    },
  }
}

/** A link is left out of an import, and what it leads to is not looked at. */
export function tellLink(reader: RulesReader, entry: Listed): void {
  const path = bare(entry)
  if (entry.kind === 'enlace' && reader.isRules(path)) reader.rules(path, null)
}

/** Has such files of an archive gathered while its list passes by. */
export const rulesIndex = (reader: RulesReader): TarIndex =>
  new TarIndex((entry) => tellLink(reader, entry), { content: (entry) => rulesSink(reader, entry) })

/** Reads archives within an archive while that passes by, one after another. */
export class InnerArchives {
  readonly #start: () => Promise<Caged>
  readonly #follow: (program: Caged, found: RulesReader) => Promise<void>
  #pending = Promise.resolve()
  #waiting = 0

  constructor(start: () => Promise<Caged>, follow: (program: Caged, found: RulesReader) => Promise<void>) {
    this.#start = start
    this.#follow = follow
  }

  /** Ends once most of what has passed by was taken, so that little of it is kept in memory. */
  drained = async (): Promise<void> => {
    if (this.#waiting > MOST_AHEAD_BYTES) await this.#pending
  }

  /** Ends once all archives were read. */
  ended = (): Promise<void> => this.#pending

  sinkFor(found: InnerReader): Sink {
    const reading = this.#then(() => this.#begin(found))
    let parts: Uint8Array[] = []
    return {
      add: (part) => {
        this.#waiting += part.length
        // What has gathered by the time that there is room again goes on as one.
        if (parts.push(new Uint8Array(part)) > 1) return
        void this.#then(async () => {
          const program = await reading
          const whole = Buffer.concat(parts)
          parts = []
          await program.take(whole)
          this.#waiting -= whole.length
        })
      },
      end: () => void this.#then(async () => (await reading).end()),
    }
  }

  async #begin(found: InnerReader) {
    const program = await this.#start()
    let over = false
    void program.ended.then(() => {
      over = true
    })
    const read = this.#follow(program, found).then(
      () => true,
      () => {
        program.stop()
        return false
      },
    )
    return {
      async take(part: Uint8Array) {
        if (!over) await program.stdin?.write(part)
      },
      async end() {
        program.stdin?.end()
        const isRead = await read
        const { code, reason } = await program.ended
        if (!isRead || reason !== 'exit' || code !== 0) found.unreadable()
      },
    }
  }

  #then<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#pending.then(work)
    this.#pending = done.then(() => {})
    // Whoever waits for what has passed by is told of a failure.
    this.#pending.catch(() => {})
    return done
  }
}
