import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { Socket } from 'node:net'
import { ulid } from '../../lib/store/ids.ts'
import { type App, GATE_HEADERS } from '../http/router.ts'
import type { Pair } from './certificates/own.ts'
import { send } from './exchange/answer.ts'
import { crowdLimit } from './exchange/crowding.ts'
import { hasBody, isLast, requestOf, type Taken } from './exchange/request.ts'

const IDLE_SECONDS = 30
/** Requests of a connection that come while one is being answered; who sends more is not heard any longer. */
const MOST_WAITING = 16
/** Of TLS 1.2; those of 1.3 are all of this kind. The web server of the sites has the same. */
const AEAD_SUITES = ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305'].flatMap((suite) => [
  `ECDHE-ECDSA-${suite}`,
  `ECDHE-RSA-${suite}`,
])
/** Open files of this process: more than most machines open to one other, and what its memory in the unit bears. */
const OPEN_FILES = 65_536

export type Listening = {
  stop(): Promise<void>
  /** Serves another certificate from now on. Reloading would keep the old one, so the listeners are made anew. */
  replace(certificate: Pair): Promise<void>
  /** Whether its present certificate is self-signed, so that only those trust it who were given it. */
  isSelfSigned(): boolean
}
type Served = App & {
  /** A connection is closed after so long without a byte; at most 255 seconds. */
  idleSeconds?: number
  /** How many connections may be open at once. */
  mostConnections?: number
}

/**
 * Serves the app over TLS on the port, on every given address (all where there is none). Never plain HTTP.
 * Rejects with EADDRINUSE or EADDRNOTAVAIL.
 */
export async function serve(
  app: Served,
  certificate: Pair,
  port: number,
  bind: string[],
): Promise<Listening> {
  raiseOpenFiles()
  const hosts = bind.length > 0 ? bind : ['::']
  const crowd = crowdLimit(port, app.mostConnections)
  const listenAll = async (pair: Pair) => {
    const listening: Server[] = []
    try {
      for (const hostname of hosts) listening.push(await listen(app, pair, port, hostname))
      for (const server of listening) crowd.watch(server)
    } catch (error) {
      await Promise.all(listening.map(closed))
      throw error
    }
    return listening
  }
  let servers = await listenAll(certificate)
  let selfSigned = isSelfSigned(certificate)
  return {
    async stop() {
      crowd.stop()
      await Promise.all(servers.map(closed))
    },
    async replace(next) {
      for (const server of servers) server.close()
      servers = await listenAll(next)
      selfSigned = isSelfSigned(next)
    },
    isSelfSigned: () => selfSigned,
  }
}

/**
 * Each idle connection takes an open file for some seconds, and some 10 kB: whoever opens thousands must not use up all
 * of them. Only root may have more than it was given, and not in every container.
 */
function raiseOpenFiles(): void {
  const [, hard = '0'] = /^Max open files +\S+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
  if (process.getuid?.() !== 0 || Number(hard) >= OPEN_FILES) return
  Bun.spawnSync(['/usr/bin/prlimit', `--pid=${process.pid}`, `--nofile=${OPEN_FILES}:${OPEN_FILES}`])
}

function closed(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  server.closeAllConnections()
  return promise
}

function isSelfSigned({ certPem }: Pair): boolean {
  const leaf = new X509Certificate(certPem)
  return leaf.issuer === leaf.subject && leaf.verify(leaf.publicKey)
}

/**
 * Through node:https, which tells when an answer has left and what was no request. Bun.serve does neither: what it still
 * has to send on a connection that is closed it keeps for good or crashes of, so that strangers who do not read take all
 * memory (test/abuse/pipelining).
 */
async function listen(app: Served, certificate: Pair, port: number, hostname: string): Promise<Server> {
  const server = createServer({
    cert: certificate.certPem,
    key: certificate.keyPem,
    ciphers: AEAD_SUITES.join(':'),
  })
  const idleMs = (app.idleSeconds ?? IDLE_SECONDS) * 1000
  server.on('clientError', refuseMalformed)
  server.on('request', exchanges(app, idleMs))
  server.on('connect', (_, socket: Socket) => say(socket, '404 Not Found', GATE_HEADERS))
  server.setTimeout(idleMs, (socket) => socket.destroy())
  server.keepAliveTimeout = idleMs
  const listening = once(server, 'listening')
  // Two panels must never share the port in silence.
  server.listen({ port, host: hostname, exclusive: true })
  await listening
  return server
}

type Turn = { isBusy: boolean; waiting: number }

/**
 * What the server does with a request: one of a connection at a time, until its answer has left, which all programs do
 * that do not pipeline (RFC 9112, 9.3.2). After the answer to one that others were sent along with, the connection ends.
 */
function exchanges(
  app: Served,
  idleMs: number,
): (message: IncomingMessage, response: ServerResponse) => void {
  const turns = new WeakMap<Socket, Turn>()
  return (message, response) => {
    const { socket } = message
    // A caller that hangs up is no fault of the panel's.
    message.on('error', () => undefined)
    response.on('error', () => undefined)
    const turn = turns.get(socket) ?? { isBusy: false, waiting: 0 }
    turns.set(socket, turn)
    if (turn.isBusy) {
      turn.waiting += 1
      if (turn.waiting > MOST_WAITING) socket.destroy()
      return
    }
    turn.isBusy = true
    // What is done for a request has limits of its own; the other side has to send all of it, and to read.
    const idle = () => void socket.setTimeout(idleMs)
    const busy = () => void socket.setTimeout(0)
    if (hasBody(message)) idle()
    else busy()
    void answered(app, message, { came: idle, whole: busy })
      .then((answer) => {
        const isUnread = hasBody(message) && !message.complete
        const closes = turn.waiting > 0 || isUnread || isLast(message)
        idle()
        return send(answer, response, { closes, went: idle })
      })
      .catch(() => socket.destroy())
      .finally(() => {
        turn.isBusy = false
        idle()
        if (turn.waiting > 0) socket.destroy()
      })
  }
}

async function answered(app: Served, message: IncomingMessage, body: Taken): Promise<Response> {
  const request = requestOf(message, body)
  if (request === null) return new Response(null, refusal(400))
  const { remoteAddress: address = '', remotePort: port = null } = message.socket
  // What was sent along with this request is looked at before it is answered.
  await new Promise((resolve) => setImmediate(resolve))
  return app.fetch(request, { address, port }).catch(() => new Response(null, { status: 500 }))
}

/** Tells only an id to ask about: whoever cannot form a request has shown no bearer. */
function refusal(status: number): { status: number; headers: Record<string, string> } {
  const id = ulid(new Date(), (length) => crypto.getRandomValues(new Uint8Array(length)))
  const headers = { 'Content-Length': '0', 'Cache-Control': 'no-store', 'X-Request-Id': id }
  return { status, headers: { ...headers, Connection: 'close' } }
}

function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  const isLong = error.code === 'HPE_HEADER_OVERFLOW'
  const { status, headers } = refusal(isLong ? 431 : 400)
  say(socket, `${status} ${isLong ? 'Request Header Fields Too Large' : 'Bad Request'}`, headers)
}

/** Answers what is no request of a resource, and ends the connection. */
function say(socket: Socket, status: string, headers: Record<string, string>): void {
  if (!socket.writable) return
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.end([`HTTP/1.1 ${status}`, ...lines, '', ''].join('\r\n'))
}
