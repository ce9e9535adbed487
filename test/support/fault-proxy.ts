import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http'
import https from 'node:https'
import net from 'node:net'

/** What goes wrong between a caller and the target. */
export type Fault =
  /** Answers itself; the target sees nothing. */
  | { kind: 'answer'; status: number; body: string; headers?: OutgoingHttpHeaders }
  /** Takes the request and never answers; the target sees nothing. */
  | { kind: 'hang' }
  /** Cuts the connection; the target sees nothing. */
  | { kind: 'cut' }
  /** The target does its work and answers; the caller gets a cut connection. */
  | { kind: 'cut-after-commit' }
  /** The caller gets the answer's head and half of its body, then a cut connection. */
  | { kind: 'half' }
  /** Forwards after so long. */
  | { kind: 'slow'; delayMs: number }
  /** Forwards, and changes the answer's JSON on its way back. */
  | { kind: 'rewrite'; change: (body: unknown) => unknown }

/** Canned faults that many tests want. */
export const faults = {
  answer: (status: number, body: string, headers: OutgoingHttpHeaders = {}): Fault => ({
    kind: 'answer',
    status,
    body,
    headers,
  }),
  json: (status: number, body: unknown, headers: OutgoingHttpHeaders = {}): Fault =>
    faults.answer(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers }),
  html: (status: number): Fault =>
    faults.answer(status, `<!doctype html><title>${status}</title><p>nginx</p>`, {
      'content-type': 'text/html',
    }),
  empty: (status: number): Fault => faults.answer(status, ''),
  brokenJson: (status: number): Fault =>
    faults.answer(status, '{"cliente":"acme","esta', { 'content-type': 'application/json' }),
  redirect: (location: string): Fault => faults.answer(302, '', { location }),
  tooMany: (seconds: number | string): Fault =>
    faults.json(429, { codigo: 'espera', status: 429 }, { 'retry-after': String(seconds) }),
} as const

/** Which requests a fault meets, and how often (once, when not said). */
type Injection = { method?: string; path?: RegExp; times?: number; fault: Fault }

/** One request as it came in, and the status that the target gave it (null where it was not forwarded). */
type SeenRequest = {
  method: string
  path: string
  body: string
  forwarded: number | null
  /** By `performance.now()`: when it was read, and when its connection was closed. */
  atMs: number
  closedAtMs: number | null
}

export type FaultProxy = {
  port: number
  origin: string
  seen: SeenRequest[]
  /** The first injection that fits and is not used up meets the request. */
  inject(injection: Injection): void
  /** Forgets all injections and all seen requests. */
  reset(): void
  close(): Promise<void>
}

type Target = { host: string; port: number; ca: string }
type Reply = { status: number; headers: OutgoingHttpHeaders; body: Buffer }

/** A TLS proxy on 127.0.0.1 with a certificate of its own (so it may be a wrong one) before a verified TLS target. */
export async function startFaultProxy(options: {
  target: Target
  tls: { cert: string; key: string }
}): Promise<FaultProxy> {
  const injections: Injection[] = []
  const seen: SeenRequest[] = []
  const server = https.createServer(options.tls, (request, response) => {
    handle(request, response, options.target, take(injections, request), seen).catch(() =>
      request.socket.destroy(),
    )
  })
  const port = await listen(server)
  return {
    port,
    origin: `https://localhost:${port}`,
    seen,
    inject: (injection) => void injections.push({ ...injection }),
    reset: () => {
      injections.length = 0
      seen.length = 0
    },
    close: () => close(server),
  }
}

function take(injections: Injection[], request: IncomingMessage): Fault | null {
  for (const injection of injections) {
    const left = injection.times ?? 1
    const methodFits = injection.method === undefined || injection.method === request.method
    if (left > 0 && methodFits && (injection.path?.test(request.url ?? '') ?? true)) {
      injection.times = left - 1
      return injection.fault
    }
  }
  return null
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  target: Target,
  fault: Fault | null,
  seen: SeenRequest[],
): Promise<void> {
  const body = await read(request)
  const entry: SeenRequest = {
    method: request.method ?? '',
    path: request.url ?? '',
    body: body.toString('utf8'),
    forwarded: null,
    atMs: performance.now(),
    closedAtMs: null,
  }
  seen.push(entry)
  request.socket.once('close', () => {
    entry.closedAtMs = performance.now()
  })
  if (fault?.kind === 'hang') return
  if (fault?.kind === 'cut') {
    request.socket.destroy()
    return
  }
  if (fault?.kind === 'answer') {
    response.writeHead(fault.status, { 'content-length': Buffer.byteLength(fault.body), ...fault.headers })
    response.end(fault.body)
    return
  }
  if (fault?.kind === 'slow') await Bun.sleep(fault.delayMs)
  const reply = await forward(request, body, target)
  entry.forwarded = reply.status
  answer(request, response, reply, fault)
}

function answer(request: IncomingMessage, response: ServerResponse, reply: Reply, fault: Fault | null): void {
  if (fault?.kind === 'cut-after-commit') {
    request.socket.destroy()
    return
  }
  const rewritten =
    fault?.kind === 'rewrite'
      ? Buffer.from(JSON.stringify(fault.change(JSON.parse(reply.body.toString('utf8')))))
      : reply.body
  response.writeHead(reply.status, { ...reply.headers, 'content-length': rewritten.length })
  if (fault?.kind !== 'half') {
    response.end(rewritten)
    return
  }
  response.write(rewritten.subarray(0, Math.floor(rewritten.length / 2)), () => request.socket.destroy())
}

/** Hop-by-hop headers are this proxy's own (RFC 9110, 7.6.1). */
const HOP = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'te',
  'upgrade',
  'trailer',
])

function forward(request: IncomingMessage, body: Buffer, target: Target): Promise<Reply> {
  const kept = Object.entries(request.headers).filter(([name]) => !HOP.has(name) && name !== 'host')
  const headers = { ...Object.fromEntries(kept), 'content-length': String(body.length) }
  return new Promise((resolve, reject) => {
    const onward = https.request(
      {
        host: target.host,
        port: target.port,
        ca: target.ca,
        ...(request.method === undefined ? {} : { method: request.method }),
        path: request.url ?? '/',
        headers,
        agent: false,
      },
      (reply) => {
        read(reply).then((bytes) => {
          const own = Object.entries(reply.headers).filter(([name]) => !HOP.has(name))
          resolve({ status: reply.statusCode ?? 502, headers: Object.fromEntries(own), body: bytes })
        }, reject)
      },
    )
    onward.on('error', reject)
    onward.end(body)
  })
}

/** A fault below TLS: what a raw TCP connection meets. */
type TcpFault =
  | { kind: 'relay' }
  /** Accepts, and closes at once. */
  | { kind: 'close' }
  /** Accepts, and says nothing. */
  | { kind: 'silent' }
  /** Accepts, and says this in the clear. */
  | { kind: 'say'; text: string }
  /** Relays, and cuts after so many bytes of the target's. */
  | { kind: 'cut-after'; bytes: number }

export type TcpProxy = {
  port: number
  /** Connections accepted so far. */
  accepted(): number
  fault(fault: TcpFault): void
  close(): Promise<void>
}

/** A raw TCP proxy on 127.0.0.1, of use before anything that listens (TLS, SMTP, DNS over TCP). */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  let current: TcpFault = { kind: 'relay' }
  let accepted = 0
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    accepted += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    serveTcp(socket, target, current)
  })
  const port = await listen(server)
  return {
    port,
    accepted: () => accepted,
    fault: (fault) => {
      current = fault
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function serveTcp(socket: net.Socket, target: { host: string; port: number }, fault: TcpFault): void {
  if (fault.kind === 'close') socket.destroy()
  if (fault.kind === 'say') socket.end(fault.text)
  if (fault.kind !== 'relay' && fault.kind !== 'cut-after') return
  let left = fault.kind === 'cut-after' ? fault.bytes : Number.POSITIVE_INFINITY
  const onward = net.connect(target.port, target.host)
  const end = () => {
    socket.destroy()
    onward.destroy()
  }
  onward.on('data', (data) => {
    const chunk = Buffer.from(data)
    socket.write(chunk.subarray(0, Math.min(chunk.length, left)))
    left -= chunk.length
    if (left <= 0) end()
  })
  socket.on('data', (chunk) => onward.write(chunk))
  onward.on('close', end).on('error', end)
  socket.on('close', end)
}

async function read(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

function listen(server: net.Server | Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('no port'))
      else resolve(address.port)
    })
  })
}

function close(server: https.Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
