/** The part of the global `fetch` that is used; a test may bring a trust anchor of its own. */
export type Fetch = (request: Request, init: { signal: AbortSignal }) => Promise<Response>

/** How long after a failed round trip the next ones fail at once: what waits must not wait again. */
const AWAY_MS = 500

/**
 * The database cannot be reached, or did not answer in time. The router answers 503 `no_disponible`
 * for it; what was asked may have been done where the answer was lost.
 */
export class DatabaseAway extends Error {
  constructor(why: string) {
    super(`database unavailable: ${why}`)
    this.name = 'DatabaseAway'
  }
}

/** A `fetch` whose answer is whole within `timeoutMs`, or which throws `DatabaseAway`. */
export function deadlineFetch(fetch: Fetch): (request: Request, timeoutMs: number) => Promise<Response> {
  let awayUntil = 0
  return async (request, timeoutMs) => {
    if (performance.now() < awayUntil) throw new DatabaseAway('failed a moment ago')
    try {
      const response = await fetch(request, { signal: AbortSignal.timeout(timeoutMs) })
      const body = await response.arrayBuffer()
      if (!response.ok) throw new DatabaseAway(`status ${response.status}${codeIn(body)}`)
      return new Response(body, { status: response.status, headers: response.headers })
    } catch (error) {
      if (!(error instanceof DatabaseAway)) awayUntil = performance.now() + AWAY_MS
      throw error instanceof DatabaseAway ? error : new DatabaseAway(reasonOf(error))
    }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return error.name === 'TimeoutError' ? 'no answer in time' : error.message.slice(0, 100)
}

/** The server's own code of a refusal, such as STREAM_EXPIRED; never its text. */
function codeIn(body: ArrayBuffer): string {
  const code = /"code"\s*:\s*"([A-Z_]{1,40})"/.exec(new TextDecoder().decode(body.slice(0, 1000)))?.[1]
  return code ? ` ${code}` : ''
}
