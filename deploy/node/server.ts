import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { Socket } from 'node:net'
import { ulid } from '../../lib/store/ids.ts'
import { connectionTurns } from '../http/connection-turns.ts'
import type { App } from '../http/router.ts'
import type { Pair } from './certificates/own.ts'

const IDLE_SECONDS = 30
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
/** A connection is closed after so long without a byte; at most 255 seconds. */
type Served = App & { idleSeconds?: number }
type BunServer = ReturnType<typeof Bun.serve>

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
  const listenAll = async (pair: Pair) => {
    const listening: BunServer[] = []
    try {
      for (const hostname of hosts) listening.push(await listen(app, pair, port, hostname))
    } catch (error) {
      await Promise.all(listening.map((server) => server.stop(true)))
      throw error
    }
    return listening
  }
  let servers = await listenAll(certificate)
  let selfSigned = isSelfSigned(certificate)
  return {
    async stop() {
      await Promise.all(servers.map((server) => server.stop(true)))
    },
    async replace(next) {
      await Promise.all(servers.map((server) => server.stop(false)))
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

function isSelfSigned({ certPem }: Pair): boolean {
  const leaf = new X509Certificate(certPem)
  return leaf.issuer === leaf.subject && leaf.verify(leaf.publicKey)
}

/**
 * Bun's own server, opened through node:https. Only there can we answer requests that are not well-formed HTTP, with
 * a request id; well-formed requests go straight to Bun's server and cost what they cost with Bun.serve.
 */
async function listen(app: Served, certificate: Pair, port: number, hostname: string): Promise<BunServer> {
  const opened = createServer({
    cert: certificate.certPem,
    key: certificate.keyPem,
    ciphers: AEAD_SUITES.join(':'),
  })
  opened.on('clientError', refuseMalformed)
  const listening = once(opened, 'listening')
  // Two panels must never share the port in silence.
  opened.listen({ port, host: hostname, exclusive: true })
  const server = bunServerOf(opened)
  server?.reload({
    fetch: answering(app),
    error: () => new Response(null, { status: 500 }),
  })
  await listening
  if (server === undefined) throw new Error(`Bun ${Bun.version} keeps its server elsewhere`)
  return server
}

/** What the server does with a request: one of a connection at a time. */
function answering(app: Served): (request: Request, of: BunServer) => Promise<Response> {
  const turns = connectionTurns()
  return async (request, of) => {
    of.timeout(request, app.idleSeconds ?? IDLE_SECONDS)
    // Bun refuses a request without a Host by itself, and joins several: one of them is never what was asked for.
    if (request.headers.get('host')?.includes(',')) return new Response(null, refusal(400))
    const { address = '', port = null } = of.requestIP(request) ?? {}
    const connection = `${address} ${port}`
    const answered = turns.begin(connection)
    if (answered !== null) {
      await answered
      return new Response(null, refusal(400))
    }
    // What was sent along with this request is looked at before it is answered.
    await new Promise((resolve) => setImmediate(resolve))
    try {
      const answer = await app.fetch(request, { address, port })
      // Nothing may be awaited from here on: the later ones answer right after this one, and Bun crashes where one of
      // them comes before it, or once the connection has ended.
      if (turns.end(connection, request.headers.has('authorization')))
        answer.headers.set('connection', 'close')
      return answer
    } catch (error) {
      turns.end(connection, true)
      throw error
    }
  }
}

/** Bun keeps it under a symbol that it does not export; its version is pinned, and every request needs this. */
function bunServerOf(opened: Server): BunServer | undefined {
  const kept = Object.getOwnPropertySymbols(opened).map((symbol) => Reflect.get(opened, symbol))
  return kept.find((value) => typeof value?.reload === 'function' && typeof value.requestIP === 'function')
}

/** Tells only an id to ask about: whoever cannot form a request has shown no bearer. */
function refusal(status: number): { status: number; headers: Record<string, string> } {
  const id = ulid(new Date(), (length) => crypto.getRandomValues(new Uint8Array(length)))
  const headers = { 'Content-Length': '0', 'Cache-Control': 'no-store', 'X-Request-Id': id }
  return { status, headers: { ...headers, Connection: 'close' } }
}

function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) return
  const isLong = error.code === 'HPE_HEADER_OVERFLOW'
  const { status, headers } = refusal(isLong ? 431 : 400)
  const reason = isLong ? 'Request Header Fields Too Large' : 'Bad Request'
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${reason}`, ...lines, '', ''].join('\r\n'))
}
