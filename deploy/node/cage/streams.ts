import { readdirSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { removeFile } from '../host/files.ts'

/** A connection of a caged program, and the bytes that have already come through it. */
export type Stream = { socket: Socket; first: Uint8Array }
export type Streams = Awaited<ReturnType<typeof createStreams>>

type Name = 'ask' | 'in' | 'out' | 'err'
const FIRST_LINE = /^([0-9a-f]{48}) (ask|in|out|err)\n/
const NAMED = /^cages-([0-9a-f]{8})[0-9a-f]{8}\.s$/

/**
 * Where the programs of this process connect their streams: a socket in a directory of root's. Each connection first
 * says which stream of which program it is.
 */
export async function createStreams(directory: string) {
  const place = hex(process.pid, 8) + hex(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0, 8)
  const expected = new Map<string, (name: string, stream: Stream) => void>()
  removeForsaken(directory)
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', (bytes: Uint8Array) => {
      socket.pause()
      const [line, key = '', name = ''] = FIRST_LINE.exec(new TextDecoder('latin1').decode(bytes)) ?? []
      const take = expected.get(key)
      if (line === undefined || !take) return socket.destroy()
      take(name, { socket, first: bytes.subarray(line.length) })
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(join(directory, `cages-${place}.s`), resolve)
  })
  server.unref()

  return {
    /** Expects a program: returns the key by which its streams are recognised, and the streams as they connect. */
    expect() {
      const key = place + hexOf(crypto.getRandomValues(new Uint8Array(16)))
      const streams = new Map<string, PromiseWithResolvers<Stream>>()
      const entry = (name: string) => {
        const known = streams.get(name) ?? Promise.withResolvers<Stream>()
        streams.set(name, known)
        return known
      }
      expected.set(key, (name, stream) => entry(name).resolve(stream))
      return {
        key,
        stream: (name: Name) => entry(name).promise,
        forget: () => void expected.delete(key),
      }
    },
  }
}

/** Removes the sockets of processes that were killed. */
function removeForsaken(directory: string): void {
  for (const name of readdirSync(directory)) {
    const pid = NAMED.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number.parseInt(pid, 16))) removeFile(join(directory, name))
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
const hexOf = (bytes: Uint8Array) => [...bytes].map((byte) => hex(byte, 2)).join('')
