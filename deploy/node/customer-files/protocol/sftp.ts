import { nameBytes, nameText } from './names.ts'
import { type Attributes, OPEN, Packets, Reader, STATUS, TYPE, Writer } from './packets.ts'

/** A program that speaks SFTP on its standard streams. */
export type Helper = {
  stdin: { write(bytes: Uint8Array): Promise<unknown> }
  stdout: ReadableStream<Uint8Array>
  /** Settles when it has ended, however that was. */
  ended: Promise<unknown>
  stop(): void
}

/** What the server refused; `code` is one of STATUS or another of section 7. */
export class SftpError extends Error {
  readonly code: number
  constructor(code: number) {
    super(`SFTP status ${code}`)
    this.name = 'SftpError'
    this.code = code
  }
}

/** The helper ended, said nothing in time or what is no SFTP: nothing is known of what was under way. */
export class HelperLost extends Error {
  constructor(why: string) {
    super(`file helper: ${why}`)
    this.name = 'HelperLost'
  }
}

export type Entry = Attributes & { name: string }
export type Handle = { readonly bytes: Uint8Array }

/** sftp-server takes and sends packets of up to 256 KiB. */
const MOST_PACKET = 256 * 1024 + 1024
/** Bytes of one read or write. */
export const PIECE = 128 * 1024

type Pending = { resolve(packet: Uint8Array): void; reject(error: Error): void }

/** One session: requests go out at once, answers come in any order, and one that does not come ends the helper. */
export class SftpSession {
  readonly #helper: Helper
  readonly #deadlineMs: number
  readonly #pending = new Map<number, Pending>()
  #nextId = 0
  #lost: HelperLost | null = null
  #sent: Promise<unknown> = Promise.resolve()
  #greeted = Promise.withResolvers<void>()

  constructor(helper: Helper, deadlineMs: number) {
    this.#helper = helper
    this.#deadlineMs = deadlineMs
    this.#greeted.promise.catch(() => {})
    void this.#receive()
    void helper.ended.then(() => this.#lose('it ended'))
    this.#send(new Writer().byte(TYPE.init).uint32(3))
  }

  /** Whether nothing can be asked of it any more. */
  get lost(): boolean {
    return this.#lost !== null
  }

  /** Requests without an answer yet. */
  get busy(): number {
    return this.#pending.size
  }

  /** Ends it; what waits for an answer is told so. */
  end(): void {
    this.#lose('it was ended')
  }

  lstat = (path: string) => this.#attributes(TYPE.lstat, path)
  stat = (path: string) => this.#attributes(TYPE.stat, path)
  mkdir = (path: string) => this.#done(this.#about(TYPE.mkdir, path).attributes({}))
  rmdir = (path: string) => this.#done(this.#about(TYPE.rmdir, path))
  remove = (path: string) => this.#done(this.#about(TYPE.remove, path))

  async permit(path: string, permissions: number): Promise<void> {
    await this.#done(this.#about(TYPE.setstat, path).attributes({ permissions }))
  }

  /** The path without links and `..`. */
  async realpath(path: string): Promise<string> {
    const answer = await this.#ask(this.#about(TYPE.realpath, path), TYPE.name)
    answer.uint32()
    return nameText(answer.string())
  }

  /** Never replaces anything. */
  rename = (from: string, to: string) => this.#done(this.#about(TYPE.rename, from).string(nameBytes(to)))

  /** rename(2): replaces a file, or an empty folder by a folder, in one step. */
  replace = (from: string, to: string) =>
    this.#done(this.#extended('posix-rename@openssh.com').string(nameBytes(from)).string(nameBytes(to)))

  async open(path: string, flags: number): Promise<Handle> {
    return this.#handle(this.#about(TYPE.open, path).uint32(flags).attributes({}))
  }

  openFolder = (path: string) => this.#handle(this.#about(TYPE.opendir, path))

  /** The next names of an open folder, in no order; null after the last. */
  async readFolder(handle: Handle): Promise<Entry[] | null> {
    const answer = await this.#unlessEnd(this.#request(TYPE.readdir).string(handle.bytes), TYPE.name)
    if (answer === null) return null
    return Array.from({ length: answer.uint32() }, () => {
      const name = nameText(answer.string())
      answer.string()
      return { name, ...answer.attributes() }
    })
  }

  /** Up to `length` bytes from there on; null at the end. */
  async read(handle: Handle, offset: number, length: number): Promise<Uint8Array | null> {
    const wanted = Math.min(length, PIECE)
    const asked = this.#request(TYPE.read).string(handle.bytes).uint64(offset).uint32(wanted)
    return (await this.#unlessEnd(asked, TYPE.data))?.string() ?? null
  }

  async write(handle: Handle, offset: number, bytes: Uint8Array): Promise<void> {
    await this.#done(this.#request(TYPE.write).string(handle.bytes).uint64(offset).string(bytes))
  }

  /** Has the disk hold what was written. */
  sync = (handle: Handle) => this.#done(this.#extended('fsync@openssh.com').string(handle.bytes))
  close = (handle: Handle) => this.#done(this.#request(TYPE.close).string(handle.bytes))

  /** Settles once the server has greeted: whatever it is that was started speaks SFTP. */
  greeted = () => this.#greeted.promise

  async #attributes(type: number, path: string): Promise<Attributes> {
    return (await this.#ask(this.#about(type, path), TYPE.attributes)).attributes()
  }

  async #handle(asked: Writer): Promise<Handle> {
    return { bytes: (await this.#ask(asked, TYPE.handle)).string().slice() }
  }

  #request = (type: number) => new Writer().byte(type).uint32(this.#nextId)
  #about = (type: number, path: string) => this.#request(type).string(nameBytes(path))
  #extended = (name: string) => this.#request(TYPE.extended).string(name)

  async #done(asked: Writer): Promise<void> {
    await this.#ask(asked, TYPE.status)
  }

  async #unlessEnd(asked: Writer, type: number): Promise<Reader | null> {
    try {
      return await this.#ask(asked, type)
    } catch (error) {
      if (error instanceof SftpError && error.code === STATUS.eof) return null
      throw error
    }
  }

  /** Sends a request that was made with the next id; what follows type and id of its answer. */
  async #ask(asked: Writer, expected: number): Promise<Reader> {
    if (this.#lost) throw this.#lost
    const id = this.#nextId
    this.#nextId = (id + 1) >>> 0
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    this.#pending.set(id, { resolve, reject })
    const timer = setTimeout(() => this.#lose('no answer in time'), this.#deadlineMs)
    try {
      this.#send(asked)
      const answer = new Reader(await promise)
      const type = answer.byte()
      answer.uint32()
      if (type === TYPE.status) {
        const code = answer.uint32()
        if (code !== STATUS.ok || expected !== TYPE.status) throw new SftpError(code)
      } else if (type !== expected) this.#lose(`an answer of type ${type}`)
      if (this.#lost) throw this.#lost
      return answer
    } finally {
      clearTimeout(timer)
      this.#pending.delete(id)
    }
  }

  #send(packet: Writer): void {
    // One after another, as fast as they are taken; what may be under way is bounded by who asks.
    this.#sent = this.#sent
      .then(() => this.#helper.stdin.write(packet.framed()))
      .catch(() => this.#lose('it takes nothing'))
  }

  async #receive(): Promise<void> {
    const packets = new Packets(MOST_PACKET)
    try {
      for await (const chunk of this.#helper.stdout) {
        for (const packet of packets.add(chunk)) this.#answered(packet)
      }
      this.#lose('it said no more')
    } catch (error) {
      this.#lose(error instanceof Error ? error.message : 'unreadable')
    }
  }

  #answered(packet: Uint8Array): void {
    const reader = new Reader(packet)
    if (reader.byte() === TYPE.version) this.#greeted.resolve()
    else this.#pending.get(reader.uint32())?.resolve(packet)
  }

  #lose(why: string): void {
    if (this.#lost) return
    this.#lost = new HelperLost(why)
    this.#greeted.reject(this.#lost)
    for (const { reject } of this.#pending.values()) reject(this.#lost)
    this.#helper.stop()
  }
}

/** Opens for writing what must not be there yet. */
export const NEW_FILE = OPEN.write | OPEN.create | OPEN.exclusive
