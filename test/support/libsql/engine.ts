import type { Pipeline, StreamRequest } from './protocol.ts'
import { hranaError, Stream } from './stream.ts'

/** A stream that its client has left alone for this long is ended, its transaction rolled back. */
const IDLE_MS = 10_000
const SPARE_STREAMS = 8
/** A transaction whose client has been silent for this long gives way to one that waits, as on the real server. */
const SILENT_MS = 5_000

/** Answers pipelines of the Hrana protocol; either the embedded engine below or a real server. */
export type Engine = {
  pipeline(body: Uint8Array, client: AbortSignal): Promise<Response>
  /** Ends every open stream as a restart would: its baton is unknown from then on. */
  forgetStreams(): void
  /** Open interactive streams. */
  streams(): number
  close(): Promise<void>
}

/** The embedded libSQL engine behind the protocol. */
export function embeddedEngine(path: string): Engine {
  const open = new Map<string, Stream>()
  const spare: Stream[] = []
  new Stream(path).close() // Creates the file in WAL mode before anybody reads it.
  const sweeper = setInterval(() => {
    for (const [baton, stream] of open) {
      if (performance.now() - stream.lastUsed < IDLE_MS) continue
      open.delete(baton)
      stream.close()
    }
  }, 1000)
  sweeper.unref()

  const giveWay = () => {
    for (const [baton, stream] of open) {
      if (!stream.inTransaction || performance.now() - stream.lastUsed < SILENT_MS) continue
      open.delete(baton)
      stream.close()
    }
  }

  const end = (stream: Stream) => {
    if (stream.closed) return
    stream.recycle()
    if (spare.length < SPARE_STREAMS) spare.push(stream)
    else stream.close()
  }

  async function answer(pipeline: Pipeline, client: AbortSignal): Promise<Response> {
    const stream = pipeline.baton ? open.get(pipeline.baton) : (spare.pop() ?? new Stream(path))
    if (!stream) return refusal(404, 'The stream has expired due to inactivity', 'STREAM_EXPIRED')
    if (pipeline.baton) open.delete(pipeline.baton)
    stream.onBusy = giveWay
    const results = []
    let closing = false
    for (const request of pipeline.requests) {
      results.push(await resultOf(stream, request, client))
      closing ||= request.type === 'close'
    }
    stream.lastUsed = performance.now()
    if (client.aborted) {
      stream.close()
      return refusal(499, 'the client has gone', 'GONE')
    }
    const baton = closing ? null : crypto.randomUUID()
    if (baton === null) end(stream)
    else open.set(baton, stream)
    return Response.json({ baton, base_url: null, results })
  }

  return {
    pipeline: (body, client) => answer(JSON.parse(new TextDecoder().decode(body)), client),
    forgetStreams() {
      for (const stream of open.values()) stream.close()
      open.clear()
    },
    streams: () => open.size,
    async close() {
      clearInterval(sweeper)
      for (const stream of [...open.values(), ...spare]) stream.close()
      open.clear()
      spare.length = 0
    },
  }
}

async function resultOf(stream: Stream, request: StreamRequest, client: AbortSignal) {
  try {
    return { type: 'ok', response: await stream.answer(request, client) }
  } catch (error) {
    return { type: 'error', error: hranaError(error) }
  }
}

/** A refusal of the server as a whole, not of one statement. */
export function refusal(status: number, message: string, code: string): Response {
  return Response.json({ message, code }, { status })
}
