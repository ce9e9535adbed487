import type { FileEntry } from '../../../lib/endpoint/ports/files.ts'

const BLOCK = 512
/** Longest extended header that is kept in memory: names and link targets are at most some KiB. */
const HEADER_MAX = 1_048_576

/** `stored`: the bytes that a sparse file really has; the holes take nothing where it is unpacked. */
export type Listed = Omit<FileEntry, 'name'> & { path: string; stored?: number }
/** Takes the content of an entry as it passes by; the end of it is told by `end`. */
export type Sink = { add(part: Uint8Array): void; end(): void }
type Options = {
  /** Whether an entry's content is wanted too. */
  content?: (entry: Listed) => Sink | null
  /** Told of what is neither a file, a folder nor a link, such as a device. */
  other?: (path: string) => void
}
type Header = { type: string; size: number; path: string; modified: number; permissions: number }

/** Reads the headers of a tar archive (POSIX pax, as GNU tar writes it) while it passes by. */
export class TarIndex {
  readonly #found: (entry: Listed) => void
  #head = Buffer.alloc(0)
  /** Bytes of content and padding to pass over, or to gather. */
  #left = 0
  #size = 0
  #gathered: Buffer[] | null = null
  #extended: Record<string, string> = {}
  readonly #options: Options
  #sink: Sink | null = null
  /** Bytes of content that the sink still gets; padding follows. */
  #wanted = 0

  constructor(found: (entry: Listed) => void, options: Options = {}) {
    this.#found = found
    this.#options = options
  }

  feed(chunk: Uint8Array): void {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    while (rest.length > 0) rest = this.#left > 0 ? this.#pass(rest) : this.#begin(rest)
  }

  #pass(rest: Buffer): Buffer {
    const taken = rest.subarray(0, this.#left)
    this.#gathered?.push(Buffer.from(taken))
    this.#hand(taken)
    this.#left -= taken.length
    if (this.#left === 0 && this.#gathered) {
      this.#extended = pairsOf(Buffer.concat(this.#gathered).subarray(0, this.#size))
      this.#gathered = null
    }
    return rest.subarray(taken.length)
  }

  #hand(taken: Buffer): void {
    if (this.#sink === null) return
    this.#sink.add(taken.subarray(0, this.#wanted))
    this.#wanted = Math.max(this.#wanted - taken.length, 0)
    if (this.#wanted > 0) return
    this.#sink.end()
    this.#sink = null
  }

  #begin(rest: Buffer): Buffer {
    const wanted = BLOCK - this.#head.length
    this.#head = Buffer.concat([this.#head, rest.subarray(0, wanted)])
    if (this.#head.length === BLOCK) {
      const header = headerOf(this.#head)
      this.#head = Buffer.alloc(0)
      if (header) this.#enter(header)
    }
    return rest.subarray(wanted)
  }

  #enter({ type, size, path, modified, permissions }: Header): void {
    if (type === 'x' && size <= HEADER_MAX) {
      this.#gathered = []
      this.#size = size
      this.#left = padded(size)
      return
    }
    const more = this.#extended
    const stored = Number(more.size ?? size)
    this.#left = padded(stored)
    if (type === 'g' || type === 'x') return
    this.#extended = {}
    const kind = KINDS[type]
    const named = more['GNU.sparse.name'] ?? more.path ?? path
    if (kind === undefined) {
      this.#options.other?.(absolute(named))
      return
    }
    const real = Number(more['GNU.sparse.realsize'] ?? more['GNU.sparse.size'] ?? stored)
    const seconds = Number(more.mtime ?? modified)
    const entry: Listed = {
      path: absolute(named),
      kind,
      bytes: kind === 'archivo' ? real : 0,
      modified: new Date(Math.floor(seconds * 1000)),
      permissions: permissions & 0o777,
      ...(kind === 'archivo' && stored < real ? { stored } : {}),
    }
    this.#found(entry)
    this.#wanted = stored
    this.#sink = stored > 0 ? (this.#options.content?.(entry) ?? null) : null
  }
}

const KINDS: Record<string, FileEntry['kind'] | undefined> = {
  '0': 'archivo',
  '\0': 'archivo',
  '1': 'archivo',
  '2': 'enlace',
  '5': 'carpeta',
}

const padded = (size: number) => Math.ceil(size / BLOCK) * BLOCK

/** `./public/a` as `/public/a`. */
const absolute = (path: string) => {
  const bare = path.replace(/^\.?\/*/, '').replace(/\/+$/, '')
  return `/${bare}`
}

/** Null for the blocks of zeros at the end. */
function headerOf(block: Buffer): Header | null {
  if (block[0] === 0 && block[345] === 0) return null
  const prefix = textIn(block, 345, 155)
  const name = textIn(block, 0, 100)
  return {
    type: String.fromCharCode(block[156] ?? 0),
    size: numberIn(block, 124, 12),
    path: prefix === '' ? name : `${prefix}/${name}`,
    modified: numberIn(block, 136, 12),
    permissions: numberIn(block, 100, 8),
  }
}

function textIn(block: Buffer, from: number, length: number): string {
  const field = block.subarray(from, from + length)
  const end = field.indexOf(0)
  return field.subarray(0, end < 0 ? length : end).toString()
}

/** Octal text, or base 256 where the first bit is set. */
function numberIn(block: Buffer, from: number, length: number): number {
  const first = block[from] ?? 0
  if ((first & 0x80) === 0) return Number.parseInt(textIn(block, from, length).trim() || '0', 8)
  let value = first & 0x3f
  for (const byte of block.subarray(from + 1, from + length)) value = value * 256 + byte
  return value
}

/** Records of an extended header: `LENGTH KEY=VALUE\n`. */
function pairsOf(bytes: Buffer): Record<string, string> {
  const pairs: Record<string, string> = {}
  for (let at = 0; at < bytes.length; ) {
    const blank = bytes.indexOf(32, at)
    const length = blank < 0 ? 0 : Number(bytes.subarray(at, blank).toString())
    if (!(length > 0)) break
    const record = bytes.subarray(blank + 1, at + length - 1)
    const equals = record.indexOf(61)
    if (equals > 0) pairs[record.subarray(0, equals).toString()] = record.subarray(equals + 1).toString()
    at += length
  }
  return pairs
}
