import { connect } from 'node:net'
import { type Engine, embeddedEngine, refusal } from './libsql/engine.ts'

/** What the tests may do to the server while it runs. */
export type Faults = {
  /** Added to every round trip, in milliseconds. */
  delayMs: number
  /** Requests are taken and never answered. */
  hang: boolean
  /** The next pipeline that holds this text is done, and a gateway's error stands for the answer: nobody knows. */
  lose: string | null
  /** Answered for every request while set, such as 500 or 503. */
  status: number | null
}

export type LibsqlServer = {
  /** `https://` with `tls`, else `http://`; the port stays the same over `cut` and `restore`. */
  url: string
  token: string
  faults: Faults
  /** Pipelines answered so far: one is one round trip. */
  roundTrips(): number
  /** Streams that are open between round trips: interactive transactions under way. */
  openStreams(): number
  /** Closes every connection and stops listening. */
  cut(): void
  restore(): void
  /** Forgets every open stream, as a restarted server has. */
  forgetStreams(): void
  stop(): Promise<void>
}

export type ServerOptions = { path: string; token?: string; tls?: { cert: string; key: string } }

/**
 * A libSQL server for tests: the real `sqld` where it is on the PATH, else the embedded engine behind a
 * small server of the same protocol (Hrana over HTTP). Before either stands what the tests need: a
 * token, TLS, faults, and the count of round trips.
 */
export async function startLibsqlServer(options: ServerOptions): Promise<LibsqlServer> {
  const token = options.token ?? 'test-token'
  const engine = (await realServer(options.path)) ?? embeddedEngine(options.path)
  const faults: Faults = { delayMs: 0, hang: false, lose: null, status: null }
  let roundTrips = 0
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (faults.hang) await new Promise(() => {})
    if (faults.delayMs > 0) await Bun.sleep(faults.delayMs)
    if (faults.status !== null) return refusal(faults.status, 'fault of the test', 'FAULT')
    if (request.headers.get('authorization') !== `Bearer ${token}`)
      return refusal(401, 'Unauthorized', 'AUTH')
    if (request.method === 'GET')
      return new Response(null, { status: /^\/v[23]$/.test(pathname) ? 200 : 404 })
    if (!/^\/v[23]\/pipeline$/.test(pathname)) return refusal(404, 'Not found', 'NOT_FOUND')
    roundTrips++
    const body = new Uint8Array(await request.arrayBuffer())
    const done = await engine.pipeline(body, request.signal)
    if (faults.lose === null || !new TextDecoder().decode(body).includes(faults.lose)) return done
    faults.lose = null
    return refusal(502, 'the answer was lost', 'BAD_GATEWAY')
  }
  const listen = (port: number) =>
    Bun.serve({
      hostname: '127.0.0.1',
      port,
      idleTimeout: 60,
      ...(options.tls ? { tls: options.tls } : {}),
      fetch: answer,
      error: () => refusal(500, 'internal error', 'INTERNAL'),
    })
  let server: ReturnType<typeof listen> | null = listen(0)
  const port = server.port ?? 0
  return {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    token,
    faults,
    roundTrips: () => roundTrips,
    openStreams: () => engine.streams(),
    cut() {
      server?.stop(true)
      server = null
      engine.forgetStreams()
    },
    restore() {
      server ??= listen(port)
    },
    forgetStreams: () => engine.forgetStreams(),
    async stop() {
      await server?.stop(true)
      engine.close()
    },
  }
}

/** `sqld` on a loopback port of its own; null where it is not installed. */
async function realServer(path: string): Promise<Engine | null> {
  const program = Bun.which('sqld')
  if (!program) return null
  const port = await freePort()
  const child = Bun.spawn([program, '--db-path', `${path}.sqld`, '--http-listen-addr', `127.0.0.1:${port}`], {
    stdout: 'ignore',
    stderr: 'ignore',
  })
  while (!(await reachable(port))) {
    if (child.exitCode !== null) throw new Error(`sqld ended with ${child.exitCode}`)
  }
  const batons = new Set<string>()
  return {
    async pipeline(body) {
      const { baton } = JSON.parse(new TextDecoder().decode(body))
      if (baton && !batons.delete(baton)) return refusal(404, 'The stream has expired', 'STREAM_EXPIRED')
      const response = await fetch(`http://127.0.0.1:${port}/v2/pipeline`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: new Uint8Array(body),
      })
      const answer = await response.json()
      if (answer.baton) batons.add(answer.baton)
      return Response.json(answer, { status: response.status })
    },
    forgetStreams: () => batons.clear(),
    streams: () => batons.size,
    close: () => child.kill(),
  }
}

async function freePort(): Promise<number> {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = probe
  probe.stop(true)
  return port
}

function reachable(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => setTimeout(resolve, 20, false))
  })
}
