import * as v from 'valibot'

/** A request as a fake provider sees it. */
export type FakeRequest = {
  method: string
  segments: string[]
  query: URLSearchParams
  body: unknown
  headers: Headers
  origin: string
}

export type FakeAnswer = { status: number; body?: unknown; headers?: Record<string, string> }

/** A fault of the fake itself: the adapter or the fake left the provider's published form. */
class SchemaBreak extends Error {}

export type FakeServer = {
  origin: string
  /** Every deviation from the published schemas, of requests and of answers; a test expects none. */
  deviations: string[]
  stop: () => Promise<void>
}

/** Serves a stateful fake on a free loopback port. */
export function serveFake(prefix: string, handle: (request: FakeRequest) => FakeAnswer): FakeServer {
  const deviations: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const url = new URL(request.url)
      if (!url.pathname.startsWith(prefix)) return new Response('not found', { status: 404 })
      const text = await request.text()
      try {
        const answer = handle({
          method: request.method,
          segments: url.pathname.slice(prefix.length).split('/').filter(Boolean).map(decodeURIComponent),
          query: url.searchParams,
          body: text === '' ? undefined : JSON.parse(text),
          headers: request.headers,
          origin: url.origin,
        })
        const headers = { 'content-type': 'application/json', ...answer.headers }
        const body = answer.body === undefined ? null : JSON.stringify(answer.body)
        return new Response(body, { status: answer.status, headers })
      } catch (error) {
        deviations.push(
          error instanceof Error ? `${request.method} ${url.pathname}: ${error.message}` : 'unknown',
        )
        return new Response('{}', { status: 500 })
      }
    },
  })
  return {
    origin: `http://127.0.0.1:${server.port}`,
    deviations,
    stop: () => server.stop(true),
  }
}

/** Parses by a published schema, or reports the deviation. */
export function conform<S extends v.GenericSchema>(
  what: string,
  schema: S,
  value: unknown,
): v.InferOutput<S> {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  const issue = result.issues[0]
  throw new SchemaBreak(
    `${what}: ${v.getDotPath(issue) ?? ''} ${issue.message} in ${JSON.stringify(value).slice(0, 300)}`,
  )
}

/** A sliding-window limit; `nowMs` is the test's clock. Answers the seconds to wait, or null. */
export function slidingWindow(rates: { max: number; windowMs: number }[]) {
  const times: number[] = []
  return (nowMs: number): number | null => {
    for (const { max, windowMs } of rates) {
      const recent = times.filter((at) => at > nowMs - windowMs)
      const oldest = recent[recent.length - max]
      if (oldest !== undefined) return Math.max(1, Math.ceil((oldest + windowMs - nowMs) / 1000))
    }
    times.push(nowMs)
    return null
  }
}
