import type { IncomingMessage } from 'node:http'

/** Held of a body that is sent faster than it is read. */
const HELD_BYTES = 256 * 1024

/** Called when some of a body came, and when all of it has. */
export type Taken = { came(): void; whole(): void }

/** A request as the app takes it; null where it is none: without one host, or with a method that no resource has. */
export function requestOf(message: IncomingMessage, taken: Taken): Request | null {
  const headers = new Headers()
  const { rawHeaders, method = '', url = '' } = message
  try {
    for (let at = 0; at + 1 < rawHeaders.length; at += 2)
      headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
    // Several are joined: one of them is never what was asked for (RFC 9112, 3.2).
    const host = headers.get('host') ?? ''
    if (host.includes(',')) return null
    const body = hasBody(message) ? bodyOf(message, taken) : null
    const made = (address: string) =>
      new Request(address, { method, headers, ...(body ? { body, duplex: 'half' } : {}) })
    const path = pathOf(url)
    const isHost = host !== '' && !/[/?#@\\]/.test(host) && URL.canParse(`https://${host}/`)
    return made(`https://${isHost ? host : 'panel.invalid'}${path}`)
  } catch {
    return null
  }
}

/** Of a whole address, which is for proxies, the path alone (RFC 9112, 3.2). */
function pathOf(target: string): string {
  if (target.startsWith('/')) return target
  if (!URL.canParse(target)) return '/'
  const { pathname, search } = new URL(target)
  return pathname + search
}

/** Whether bytes follow the head, which no method forbids (RFC 9112, 6). */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Whether the other side closes the connection after the answer, or expects that (RFC 9112, 9.3). */
export const isLast = ({ headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion === '1.0' || /\bclose\b/i.test(headers.connection ?? '')

/** The body, taken from the connection as it is read. */
function bodyOf(message: IncomingMessage, taken: Taken): ReadableStream<Uint8Array> | null {
  if (message.method === 'GET' || message.method === 'HEAD') return null
  let isOver = false
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        message.on('data', (chunk: Uint8Array) => {
          if (isOver) return
          taken.came()
          controller.enqueue(new Uint8Array(chunk))
          if ((controller.desiredSize ?? 0) <= 0) message.pause()
        })
        message.on('end', () => {
          taken.whole()
          if (!isOver) controller.close()
          isOver = true
        })
        message.on('error', (error) => {
          if (!isOver) controller.error(error)
          isOver = true
        })
        message.pause()
      },
      pull: () => void message.resume(),
      cancel() {
        isOver = true
        message.pause()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: HELD_BYTES }),
  )
}
