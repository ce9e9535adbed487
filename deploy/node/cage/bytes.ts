import type { Caged } from '../../../lib/endpoint/node-port.ts'
import type { Stream } from './streams.ts'

const AHEAD_BYTES = 262_144
const LAST_BYTES = 65_536

/** The bytes that come through a connection, read no faster than the consumer takes them. */
export function readFrom({ socket, first }: Stream): ReadableStream<Uint8Array> {
  let over = false
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const end = () => {
          if (!over) controller.close()
          over = true
          socket.destroy()
        }
        if (first.length > 0) controller.enqueue(first)
        socket.on('data', (bytes: Uint8Array) => {
          if (over) return
          controller.enqueue(bytes)
          if ((controller.desiredSize ?? 0) <= 0) socket.pause()
        })
        socket.once('end', end)
        socket.once('close', end)
        if (socket.destroyed || socket.readableEnded) end()
        else if ((controller.desiredSize ?? 0) > 0) socket.resume()
      },
      pull: () => void socket.resume(),
      cancel() {
        over = true
        socket.destroy()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: AHEAD_BYTES }),
  )
}

/** Passes on bytes as fast as they are read; once nobody reads any more, they are dropped. */
export function writeTo({ socket }: Stream): NonNullable<Caged['stdin']> {
  socket.resume()
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return {
    async write(bytes) {
      if (socket.destroyed || socket.write(bytes)) return
      const drained = new Promise<void>((resolve) => socket.once('drain', () => resolve()))
      await Promise.race([drained, gone])
    },
    end: () => void socket.end(),
  }
}

/** The last bytes that came through a connection, once it has ended. */
export function lastWords({ socket, first }: Stream): Promise<string> {
  let kept: Uint8Array = first
  return new Promise((resolve) => {
    socket.on('data', (bytes: Uint8Array) => {
      kept = Buffer.concat([kept, bytes]).subarray(-LAST_BYTES)
    })
    const tell = () => {
      socket.destroy()
      resolve(new TextDecoder().decode(kept))
    }
    socket.once('end', tell)
    socket.once('close', tell)
    if (socket.destroyed || socket.readableEnded) tell()
    else socket.resume()
  })
}
