import { connect } from 'node:tls'
import type { Panel } from '../support/panel.ts'

export type RawAnswer = { status: number; head: string; headers: Record<string, string>; body: string }

/** Sends these bytes over verified TLS and answers all that comes back until the panel closes or is silent. */
export function exchange(panel: Panel, bytes: string | Uint8Array, silentMs = 2000): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', servername: 'localhost', port: panel.port, ca: panel.ca })
    let received = ''
    socket.setTimeout(silentMs, () => socket.destroy())
    socket.on('secureConnect', () => socket.write(bytes))
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return resolve(received)
      reject(error)
    })
    socket.on('close', () => resolve(received))
  })
}

/** One request written by hand, so that the path reaches the panel as it is; the connection is closed after it. */
export async function raw(
  panel: Panel,
  method: string,
  target: string,
  lines: string[] = [],
  body: string | Uint8Array = '',
): Promise<RawAnswer> {
  const length = Buffer.byteLength(body)
  const sized = length > 0 && !lines.some((line) => /^(content-length|transfer-encoding):/i.test(line))
  const head = [
    `${method} ${target} HTTP/1.1`,
    `Host: localhost:${panel.port}`,
    'Connection: close',
    ...(sized ? [`Content-Length: ${length}`] : []),
    ...lines,
  ]
  const answer = await exchange(
    panel,
    Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)]),
  )
  return parseAnswer(answer)
}

/** The first answer in what was received; status 0 when there is none. */
export function parseAnswer(received: string): RawAnswer {
  const end = received.indexOf('\r\n\r\n')
  const head = end < 0 ? received : received.slice(0, end)
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
    }),
  )
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0)
  return { status, head, headers, body: end < 0 ? '' : received.slice(end + 4) }
}
