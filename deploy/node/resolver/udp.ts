import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import type { QueryType, Resolver, ResolverAnswer } from '../../../lib/endpoint/context.ts'
import { answersQuery, decodeAnswer, encodeQuery, isTruncated } from '../../../lib/resolver/message.ts'

/**
 * A resolver over UDP, and over TCP where an answer was truncated (RFC 7766). The datagram is sent again after a
 * third of the time, so that a lost one does not look like a silent resolver. Never throws.
 */
export function udpResolver(address: string, port: number): Resolver {
  const shown = address.includes(':') ? `[${address}]` : address
  return {
    label: `udp://${shown}:${port}`,
    async query(name: string, type: QueryType, timeoutMs: number): Promise<ResolverAnswer> {
      const startedAt = performance.now()
      const query = { id: randomInt(65_536), name, type }
      try {
        const message = await overUdp({ address, port }, query, timeoutMs)
        if (!isTruncated(message)) return decodeAnswer(message, name, type)
        const leftMs = timeoutMs - (performance.now() - startedAt)
        return decodeAnswer(await overTcp({ address, port }, query, leftMs), name, type)
      } catch (error) {
        return { kind: 'failure', reason: error instanceof Error ? error.message : 'unreachable' }
      }
    },
  }
}

type Server = { address: string; port: number }
type Query = { id: number; name: string; type: QueryType }

/** A socket of its own for each question: a fresh random port is half of the protection against forgery. */
function overUdp(server: Server, query: Query, timeoutMs: number): Promise<Uint8Array> {
  const packet = encodeQuery(query.id, query.name, query.type)
  const socket = createSocket(server.address.includes(':') ? 'udp6' : 'udp4')
  return new Promise<Uint8Array>((resolve, reject) => {
    let over = false
    let again: ReturnType<typeof setTimeout> | undefined
    const settle = () => {
      over = true
      clearTimeout(timer)
      clearTimeout(again)
    }
    const timer = setTimeout(() => {
      settle()
      reject(new Error('timeout'))
    }, timeoutMs)
    socket.on('error', () => {
      settle()
      reject(new Error('unreachable'))
    })
    socket.on('message', (message) => {
      if (!answersQuery(message, query.id, query.name, query.type)) return
      settle()
      resolve(message)
    })
    socket.connect(server.port, server.address, (error?: unknown) => {
      if (over) return
      // Without a route the socket is not connected, and sending would throw.
      if (error) {
        settle()
        reject(new Error('unreachable'))
        return
      }
      socket.send(packet)
      again = setTimeout(() => socket.send(packet), timeoutMs / 3)
    })
  }).finally(() => socket.close())
}

function overTcp(server: Server, query: Query, timeoutMs: number): Promise<Uint8Array> {
  const socket = connect({ host: server.address, port: server.port })
  const packet = encodeQuery(query.id, query.name, query.type)
  let received = Buffer.alloc(0)
  return new Promise<Uint8Array>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('timeout')), Math.max(1, timeoutMs))
    const fail = () => {
      clearTimeout(timer)
      reject(new Error('unreachable'))
    }
    socket.on('error', fail)
    socket.on('close', fail)
    socket.on('connect', () => socket.write(Buffer.concat([lengthPrefix(packet.length), packet])))
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return
      clearTimeout(timer)
      const message = received.subarray(2, 2 + received.readUInt16BE(0))
      if (answersQuery(message, query.id, query.name, query.type)) resolve(message)
      else reject(new Error('malformed'))
    })
  }).finally(() => socket.destroy())
}

function lengthPrefix(length: number): Buffer {
  return Buffer.from([length >> 8, length & 0xff])
}
