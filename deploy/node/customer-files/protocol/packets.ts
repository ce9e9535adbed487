/** Packets of SFTP version 3 (draft-ietf-secsh-filexfer-02), without the transport. */

/** Section 3: types of packets. */
export const TYPE = {
  init: 1,
  version: 2,
  open: 3,
  close: 4,
  read: 5,
  write: 6,
  lstat: 7,
  setstat: 9,
  opendir: 11,
  readdir: 12,
  remove: 13,
  mkdir: 14,
  rmdir: 15,
  realpath: 16,
  stat: 17,
  rename: 18,
  status: 101,
  handle: 102,
  data: 103,
  name: 104,
  attributes: 105,
  extended: 200,
  extendedReply: 201,
} as const

/** Section 7: codes of a status. */
export const STATUS = { ok: 0, eof: 1, missing: 2, denied: 3, failure: 4 } as const

/** Section 6.3: how a file is opened. */
export const OPEN = { read: 1, write: 2, create: 8, truncate: 16, exclusive: 32 } as const

const HAS = { size: 1, owner: 2, permissions: 4, times: 8, extended: 0x80000000 } as const

/** Section 5: what is told of a file; `mode` with its type, `modified` in seconds. */
export type Attributes = { bytes: number; mode: number; modified: number }

/** Puts a packet together. */
export class Writer {
  readonly #parts: Uint8Array[] = []
  #length = 0

  #add(part: Uint8Array): this {
    this.#parts.push(part)
    this.#length += part.length
    return this
  }

  byte(value: number): this {
    return this.#add(Uint8Array.of(value))
  }

  uint32(value: number): this {
    const part = new Uint8Array(4)
    new DataView(part.buffer).setUint32(0, value)
    return this.#add(part)
  }

  uint64(value: number): this {
    const part = new Uint8Array(8)
    new DataView(part.buffer).setBigUint64(0, BigInt(value))
    return this.#add(part)
  }

  /** Bytes after their length. */
  string(value: Uint8Array | string): this {
    const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value
    return this.uint32(bytes.length).#add(bytes)
  }

  /** Of the attributes, those that are to be set. */
  attributes({ permissions }: { permissions?: number | undefined }): this {
    return permissions === undefined ? this.uint32(0) : this.uint32(HAS.permissions).uint32(permissions)
  }

  /** The packet with its length ahead (section 3). */
  framed(): Uint8Array {
    const framed = new Uint8Array(4 + this.#length)
    new DataView(framed.buffer).setUint32(0, this.#length)
    let at = 4
    for (const part of this.#parts) {
      framed.set(part, at)
      at += part.length
    }
    return framed
  }
}

/** Reads a packet; a RangeError where it ends early. */
export class Reader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  #step(length: number): number {
    const at = this.#at
    if (at + length > this.#bytes.length) throw new RangeError('a packet ends early')
    this.#at += length
    return at
  }

  byte(): number {
    return this.#view.getUint8(this.#step(1))
  }

  uint32(): number {
    return this.#view.getUint32(this.#step(4))
  }

  uint64(): number {
    return Number(this.#view.getBigUint64(this.#step(8)))
  }

  string(): Uint8Array {
    const length = this.uint32()
    const at = this.#step(length)
    return this.#bytes.subarray(at, at + length)
  }

  text(): string {
    return new TextDecoder().decode(this.string())
  }

  attributes(): Attributes {
    const flags = this.uint32()
    const told = { bytes: 0, mode: 0, modified: 0 }
    if (flags & HAS.size) told.bytes = this.uint64()
    if (flags & HAS.owner) this.#step(8)
    if (flags & HAS.permissions) told.mode = this.uint32()
    if (flags & HAS.times) {
      this.#step(4)
      told.modified = this.uint32()
    }
    if (flags & HAS.extended) for (let left = this.uint32(); left > 0; left--) this.string() && this.string()
    return told
  }
}

/** Cuts what arrives into packets. None is longer than `most`, so that a peer gone mad fills no memory. */
export class Packets {
  readonly #most: number
  #held: Uint8Array[] = []
  #length = 0

  constructor(most: number) {
    this.#most = most
  }

  /** The packets that are whole now, each without its length. */
  add(chunk: Uint8Array): Uint8Array[] {
    this.#held.push(chunk)
    this.#length += chunk.length
    const whole: Uint8Array[] = []
    for (let next = this.#next(); next !== null; next = this.#next()) whole.push(next)
    return whole
  }

  #next(): Uint8Array | null {
    if (this.#length < 4) return null
    const head = this.#peek(4)
    const size = new DataView(head.buffer, head.byteOffset, 4).getUint32(0)
    if (size < 1 || size > this.#most) throw new RangeError(`a packet of ${size} bytes`)
    if (this.#length < 4 + size) return null
    return this.#take(4 + size).subarray(4)
  }

  /** The first bytes; joins only as many parts as they lie in. */
  #peek(length: number): Uint8Array {
    let [first] = this.#held
    while (first !== undefined && first.length < length) {
      const [one, two, ...rest] = this.#held
      if (one === undefined || two === undefined) break
      first = joined([one, two])
      this.#held = [first, ...rest]
    }
    return first ?? new Uint8Array()
  }

  #take(length: number): Uint8Array {
    const parts: Uint8Array[] = []
    let missing = length
    while (missing > 0) {
      const part = this.#held.shift()
      if (part === undefined) break
      parts.push(part.subarray(0, missing))
      if (part.length > missing) this.#held.unshift(part.subarray(missing))
      missing -= Math.min(part.length, missing)
    }
    this.#length -= length
    return parts.length === 1 && parts[0] ? parts[0] : joined(parts)
  }
}

function joined(parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
