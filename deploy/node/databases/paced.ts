import type { Readable } from 'node:stream'
import { AppError } from '../../../lib/endpoint/errors.ts'

/** How long a reader may let bytes wait: at first, and for each byte that it took. */
export type Pace = { patienceMs: number; bytesPerMs: number }

/** How slowly a download may be read: 32 kB a second after the first minute. */
export const DOWNLOAD_PACE: Pace = { patienceMs: 60_000, bytesPerMs: 32 }

/** Downloads that are made while they are read: one at a time for a client, and so many of the node; 503 for more. */
export function downloadSlots(most: number) {
  const open = new Set<number>()
  /** Answers what ends it. */
  return (clientId: number): (() => void) => {
    if (open.has(clientId) || open.size >= most) {
      throw new AppError('no_disponible', { retryAfterSeconds: 10 })
    }
    open.add(clientId)
    return () => void open.delete(clientId)
  }
}

/**
 * Bytes as they are asked for. Whoever stops asking, or asks more slowly than the pace, ends what makes them; waiting for
 * what makes them counts for nobody. Null is a reader who may take any time.
 */
export function paced(readable: Readable, pace: Pace | null): ReadableStream<Uint8Array> {
  const parts: AsyncIterator<Buffer> = readable[Symbol.asyncIterator]()
  let leftMs = pace?.patienceMs ?? 0
  let offeredAt: number | null = null
  let late: Timer | undefined
  const taken = () => {
    clearTimeout(late)
    if (offeredAt !== null) leftMs -= performance.now() - offeredAt
    offeredAt = null
  }
  const offer = (controller: ReadableStreamDefaultController<Uint8Array>, part: Uint8Array) => {
    controller.enqueue(part)
    if (pace === null) return
    leftMs += part.length / pace.bytesPerMs
    offeredAt = performance.now()
    late = setTimeout(() => {
      const fault = new Error('read too slowly')
      readable.destroy(fault)
      controller.error(fault)
    }, leftMs)
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        taken()
        const { done, value } = await parts.next()
        if (done) controller.close()
        else offer(controller, new Uint8Array(value))
      },
      cancel() {
        taken()
        readable.destroy()
      },
    },
    { highWaterMark: 0 },
  )
}
