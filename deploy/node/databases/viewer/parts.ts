/** What `viewer.php` tells before a page. */
type Head = { status: number; headers: Record<string, string> }
export type Page = { head: Head; body: ReadableStream<Uint8Array> }

type Part = { kind: string; bytes: Buffer }

/** A letter and the length in eight digits come before each part. */
const PREFIX_BYTES = 9
const LARGEST_PART = 1_048_576

/**
 * The page that a program tells in parts, passed on as it comes; what the session is to hold is given to `keep`. It
 * breaks off where the program ended before its end.
 */
export async function pageOf(
  stdout: ReadableStream<Uint8Array>,
  keep: (session: string) => void,
): Promise<Page> {
  const parts = partsOf(stdout)
  const { value: first } = await parts.next()
  if (first?.kind !== 'H') throw new Error('the viewer told no page')
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const { value: part } = await parts.next()
          if (!part) throw new Error('the viewer ended before its page')
          if (part.kind === 'S') keep(part.bytes.toString('base64'))
          if (part.kind === 'E') return controller.close()
          if (part.kind === 'B') return controller.enqueue(new Uint8Array(part.bytes))
        }
      },
      cancel: async () => void (await parts.return(undefined)),
    },
    { highWaterMark: 0 },
  )
  return { head: JSON.parse(first.bytes.toString()) as Head, body } // As `viewer_page` writes it.
}

async function* partsOf(stdout: ReadableStream<Uint8Array>): AsyncGenerator<Part, undefined> {
  let held: Buffer = Buffer.alloc(0)
  for await (const piece of stdout) {
    held = Buffer.concat([held, piece])
    for (let part = firstOf(held); part; part = firstOf(held)) {
      held = held.subarray(PREFIX_BYTES + part.bytes.length)
      yield part
    }
  }
  return undefined
}

/** The first part of these bytes, once all of it is there. */
function firstOf(held: Buffer): Part | null {
  if (held.length < PREFIX_BYTES) return null
  const [, kind = '', digits = ''] =
    /^([HBSE])([0-9a-f]{8})$/.exec(held.toString('latin1', 0, PREFIX_BYTES)) ?? []
  const length = Number.parseInt(digits, 16)
  if (kind === '' || length > LARGEST_PART) throw new Error('the viewer told what is no part of a page')
  if (held.length < PREFIX_BYTES + length) return null
  return { kind, bytes: held.subarray(PREFIX_BYTES, PREFIX_BYTES + length) }
}
