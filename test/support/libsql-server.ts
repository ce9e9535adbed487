import { embeddedEngine, refusal } from './libsql/engine.ts'
import { sqldEngine, sqldProgram } from './libsql/sqld.ts'
import { freePort } from './ports.ts'

/** What the tests may do to the server while it runs. */
type Faults = {
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

export type ServerOptions = {
  path: string
  token?: string
  tls?: { cert: string; key: string }
  /** What answers; the real server wherever there is one, unless it is told. */
  engine?: 'sqld' | 'embedded'
}

/**
 * A libSQL server for tests: the real `sqld`, or the embedded engine behind a small server of the same
 * protocol (Hrana over HTTP). Before either stands what the tests need: a token, TLS, faults, and the
 * count of round trips.
 */
export async function startLibsqlServer(options: ServerOptions): Promise<LibsqlServer> {
  const token = options.token ?? 'test-token'
  const program = options.engine === 'embedded' ? null : sqldProgram()
  if (!program && options.engine === 'sqld') throw new Error('there is no sqld')
  const engine = program ? await sqldEngine(program, options.path) : embeddedEngine(options.path)
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
  const port = await freePort()
  let server: ReturnType<typeof listen> | null = listen(port)
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
      await engine.close()
    },
  }
}
