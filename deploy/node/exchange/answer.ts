import type { ServerResponse } from 'node:http'

/** Handed to the connection at once; it takes more when the other side has read. */
const PIECE_BYTES = 64 * 1024
/** Of the connection, or with a line for each value. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'set-cookie'])
const JSON_TYPES = /^application\/(?:problem\+)?json\b/

type Sending = {
  closes: boolean
  /** Called whenever the other side took bytes. */
  went(): void
}

/**
 * Sends an answer; resolves when all of it was taken by the other side's system, or the connection is gone. Nothing more
 * of it is held than the other side is about to read, and what made it is told when it hangs up.
 */
export async function send(answer: Response, response: ServerResponse, sending: Sending): Promise<void> {
  const over = overOf(response)
  const isWhole = answer.body === null || JSON_TYPES.test(answer.headers.get('content-type') ?? '')
  if (isWhole) await sendWhole(answer, response, sending)
  else await sendStream(answer, response, sending)
  await over
}

async function sendWhole(answer: Response, response: ServerResponse, sending: Sending): Promise<void> {
  const body = await answer.bytes()
  begin(answer, response, { ...sending, length: body.length })
  if (await write(body, response, sending)) response.end()
}

async function sendStream(answer: Response, response: ServerResponse, sending: Sending): Promise<void> {
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  // Of a stream that has ended already it does nothing.
  const stop = () => void reader.cancel().catch(() => undefined)
  // Who hung up before it began is not told of once more.
  if (response.destroyed) return stop()
  response.once('close', stop)
  try {
    const first = await reader.read()
    let next = readOf(reader)
    // What is there as a whole has a length.
    const isWhole = first.done || (await Promise.race([next, soon()]))?.done === true
    begin(answer, response, { ...sending, length: isWhole ? (first.value?.length ?? 0) : null })
    for (let { value } = first; value !== undefined; ) {
      if (!(await write(value, response, sending))) return
      const read = await next
      value = read.value
      if (!read.done) next = readOf(reader)
    }
    response.end()
  } catch {
    // Who reads must not take a part for the whole.
    response.destroy()
  } finally {
    response.off('close', stop)
    stop()
  }
}

/** Read ahead of what is being sent, so that its failure may be looked at late, or never. */
function readOf(reader: ReadableStreamDefaultReader<Uint8Array>) {
  const read = reader.read()
  read.catch(() => undefined)
  return read
}

const soon = () => new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)))

function begin(
  { status, headers }: Response,
  response: ServerResponse,
  { closes, length }: { closes: boolean; length: number | null },
): void {
  const lines = [...headers].flatMap(([name, value]) => (OWN_HEADERS.has(name) ? [] : [name, value]))
  for (const cookie of headers.getSetCookie()) lines.push('set-cookie', cookie)
  // What a HEAD is told is of the answer that a GET would have, not of its own.
  const isHead = response.req.method === 'HEAD'
  const isBodiless = isHead || status === 204 || status === 304 || headers.has('content-length')
  if (length !== null && !isBodiless) lines.push('content-length', String(length))
  // Said even where it goes without saying: Node adds a header of its own otherwise.
  lines.push('connection', closes || headers.get('connection') === 'close' ? 'close' : 'keep-alive')
  response.writeHead(status, lines)
}

/** Writes as the other side reads; false once it is gone. */
async function write(body: Uint8Array, response: ServerResponse, { went }: Sending): Promise<boolean> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) {
    if (response.destroyed) return false
    if (!response.write(body.subarray(at, at + PIECE_BYTES))) await drained(response)
    went()
  }
  return !response.destroyed
}

const drained = (response: ServerResponse) => either(response, 'drain')

const overOf = (response: ServerResponse) => either(response, 'finish')

function either(response: ServerResponse, event: string): Promise<void> {
  // Its end was told already.
  if (response.destroyed) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = () => {
    response.off(event, done)
    response.off('close', done)
    resolve()
  }
  response.on(event, done)
  response.on('close', done)
  return promise
}
