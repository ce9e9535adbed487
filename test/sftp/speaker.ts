/** A client that sends what it is told to, in the words of draft-ietf-secsh-filexfer-02, over OpenSSH's transport. */

const [INIT, VERSION, OPEN, CLOSE, READ, WRITE] = [1, 2, 3, 4, 5, 6]
const [STAT, SETSTAT, OPENDIR, READDIR, REALPATH, RENAME, EXTENDED] = [17, 9, 11, 12, 16, 18, 200]
const [STATUS, DATA] = [101, 103]
const FLAGS = { read: 1, write: 2, append: 4, create: 8, truncate: 16 }
const [HAS_SIZE, HAS_OWNER, HAS_MODE, HAS_TIMES] = [1, 2, 4, 8]
const CODES = ['ok', 'end', 'missing', 'denied', 'failure'] as const
/** How much of a file FileZilla and WinSCP send at once, and how many of these before the first is answered. */
const PART = 32_768
const AHEAD = 16

type Outcome = (typeof CODES)[number] | number
type Message = { type: number; body: Buffer }
export type Session = Awaited<ReturnType<typeof speak>>

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const u64 = (value: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}
const text = (value: string | Buffer) => {
  const bytes = Buffer.from(value)
  return Buffer.concat([u32(bytes.length), bytes])
}
const textAt = (body: Buffer, from: number) => body.subarray(from + 4, from + 4 + body.readUInt32BE(from))

export async function speak(port: number, login: { account: string; password: string }) {
  const options = [
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'LogLevel=ERROR',
    `Port=${port}`,
  ]
  const child = Bun.spawn(
    [
      ...['sshpass', '-p', login.password, 'ssh', '-a', '-x'],
      ...options.flatMap((option) => ['-o', option]),
      ...['-o', 'PubkeyAuthentication=no', '-s', `${login.account}@127.0.0.1`, 'sftp'],
    ],
    { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' },
  )
  const waiting = new Map<number, (message: Message) => void>()
  const greeting = Promise.withResolvers<Message>()
  void (async () => {
    let left = Buffer.alloc(0)
    for await (const part of child.stdout) {
      left = Buffer.concat([left, part])
      while (left.length >= 4 && left.length >= 4 + left.readUInt32BE(0)) {
        const packet = left.subarray(4, 4 + left.readUInt32BE(0))
        left = left.subarray(4 + packet.length)
        const message = { type: packet[0] ?? 0, body: packet.subarray(1) }
        if (message.type === VERSION) greeting.resolve(message)
        else waiting.get(message.body.readUInt32BE(0))?.({ ...message, body: message.body.subarray(4) })
      }
    }
    greeting.reject(new Error('no session'))
  })()
  const put = (type: number, ...parts: Buffer[]) => {
    const body = Buffer.concat([Buffer.from([type]), ...parts])
    child.stdin.write(Buffer.concat([u32(body.length), body]))
    child.stdin.flush()
  }
  // WinSCP proposes 6.
  put(INIT, u32(6))
  const hello = (await greeting.promise).body
  const extensions: string[] = []
  for (let from = 4; from < hello.length; ) {
    const name = textAt(hello, from)
    extensions.push(name.toString())
    from += 4 + name.length
    from += 4 + textAt(hello, from).length
  }

  let last = 0
  const ask = (type: number, ...parts: Buffer[]): Promise<Message> => {
    last += 1
    const { promise, resolve } = Promise.withResolvers<Message>()
    waiting.set(last, resolve)
    put(type, u32(last), ...parts)
    return promise
  }
  const outcome = ({ type, body }: Message): Outcome => {
    if (type !== STATUS) return 'ok'
    const code = body.readUInt32BE(0)
    return CODES[code] ?? code
  }
  const need = async (asked: Promise<Message>): Promise<Message> => {
    const message = await asked
    const end = outcome(message)
    if (end !== 'ok') throw new Error(`refused: ${end} ${textAt(message.body, 4)}`)
    return message
  }
  const extended = (name: string, ...parts: Buffer[]) => ask(EXTENDED, text(name), ...parts)
  const open = async (path: string, flags: (keyof typeof FLAGS)[]) => {
    const bits = flags.reduce((sum, flag) => sum + FLAGS[flag], 0)
    return textAt((await need(ask(OPEN, text(path), u32(bits), u32(0)))).body, 0)
  }
  const close = (handle: Buffer) => need(ask(CLOSE, text(handle)))
  const set = async (path: string, ...attributes: Buffer[]) =>
    outcome(await ask(SETSTAT, text(path), ...attributes))

  return {
    ...{ version: hello.readUInt32BE(0), extensions, open, close },
    async writeAll(handle: Buffer, bytes: Uint8Array, from: number): Promise<void> {
      const sent: Promise<Message>[] = []
      for (let at = 0; at < bytes.length; at += PART) {
        const part = Buffer.from(bytes.subarray(at, at + PART))
        sent.push(need(ask(WRITE, text(handle), u64(from + at), text(part))))
        if (sent.length >= AHEAD) await sent[sent.length - AHEAD]
      }
      await Promise.all(sent)
    },
    async readAll(handle: Buffer, length: number): Promise<Buffer> {
      const parts: Promise<Message>[] = []
      for (let at = 0; at < length; at += PART) {
        parts.push(need(ask(READ, text(handle), u64(at), u32(Math.min(PART, length - at)))))
      }
      const answers = await Promise.all(parts)
      return Buffer.concat(
        answers.map(({ type, body }) => (type === DATA ? textAt(body, 0) : Buffer.alloc(0))),
      )
    },
    async size(path: string): Promise<number> {
      const { body } = await need(ask(STAT, text(path)))
      return (body.readUInt32BE(0) & HAS_SIZE) === 0 ? -1 : Number(body.readBigUInt64BE(4))
    },
    realpath: async (path: string) => textAt((await need(ask(REALPATH, text(path)))).body, 4).toString(),
    setTimes: (path: string, seconds: number) => set(path, u32(HAS_TIMES), u32(seconds), u32(seconds)),
    setMode: (path: string, mode: number) => set(path, u32(HAS_MODE), u32(mode)),
    setOwner: (path: string, id: number) => set(path, u32(HAS_OWNER), u32(id), u32(id)),
    rename: async (from: string, to: string) => outcome(await ask(RENAME, text(from), text(to))),
    posixRename: async (from: string, to: string) =>
      outcome(await extended('posix-rename@openssh.com', text(from), text(to))),
    hardLink: async (from: string, to: string) =>
      outcome(await extended('hardlink@openssh.com', text(from), text(to))),
    opens: async (path: string) => outcome(await ask(OPEN, text(path), u32(FLAGS.read), u32(0))),
    async space(path: string): Promise<{ blocks: bigint; free: bigint }> {
      const { body } = await need(extended('statvfs@openssh.com', text(path)))
      return { blocks: body.readBigUInt64BE(16), free: body.readBigUInt64BE(32) }
    },
    async limits(): Promise<{ packet: bigint; read: bigint; write: bigint }> {
      const { body } = await need(extended('limits@openssh.com'))
      return {
        packet: body.readBigUInt64BE(0),
        read: body.readBigUInt64BE(8),
        write: body.readBigUInt64BE(16),
      }
    },
    async list(path: string): Promise<string[]> {
      const handle = textAt((await need(ask(OPENDIR, text(path)))).body, 0)
      const names: string[] = []
      for (;;) {
        const answer = await ask(READDIR, text(handle))
        if (outcome(answer) === 'end') break
        let from = 4
        for (let left = answer.body.readUInt32BE(0); left > 0; left--) {
          const name = textAt(answer.body, from)
          names.push(name.toString())
          from += 4 + name.length
          from += 4 + textAt(answer.body, from).length
          from += attributesLength(answer.body, from)
        }
      }
      await close(handle)
      return names.sort()
    },
    end: () => child.kill(),
  }
}

/** How long the attributes of a file are, by which of them are there. */
function attributesLength(body: Buffer, from: number): number {
  const flags = body.readUInt32BE(from)
  const has = (flag: number, length: number) => ((flags & flag) === 0 ? 0 : length)
  return 4 + has(HAS_SIZE, 8) + has(HAS_OWNER, 8) + has(HAS_MODE, 4) + has(HAS_TIMES, 8)
}
