/** The part of the global `fetch` that is used; a test may bring a trust anchor of its own. */
export type Fetch = (request: Request, init: { signal: AbortSignal }) => Promise<Response>

/** After an answer that came too late, further requests fail at once for this long, so that nobody waits twice. */
const AWAY_MS = 500

/** A timer that fires this late means that the process was busy. */
const BUSY_MS = 20

/** The time limit of a round trip, and whether it may be repeated if it broke off. */
export type Trip = { timeoutMs: number; repeatable: boolean }

/**
 * The database cannot be reached or did not answer in time. The router answers 503 `no_disponible`; if only the
 * answer was lost, the statement may have been executed.
 */
export class DatabaseAway extends Error {
  constructor(why: string) {
    super(`database unavailable: ${why}`)
    this.name = 'DatabaseAway'
  }
}

/** Codes of libsql-server (its hrana/stmt.rs) that describe the server's state, not the statement. */
const SERVERS_OWN = new Set(['TRANSACTION_TIMEOUT', 'TRANSACTION_BUSY', 'BLOCKED', 'PROXY_ERROR'])

/** Turns a refusal that describes the server's own state into `DatabaseAway`; other errors stay as they are. */
export function awayIfServersOwn(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' && SERVERS_OWN.has(code) ? new DatabaseAway(code) : error
}

/** A `fetch` that returns the whole answer within its time, or throws `DatabaseAway`. */
export function deadlineFetch(fetch: Fetch): (request: Request, trip: Trip) => Promise<Response> {
  let awayUntil = 0
  let answeredAt = 0
  return async (request, { timeoutMs, repeatable }) => {
    if (performance.now() < awayUntil) throw new DatabaseAway('no answer in time a moment ago')
    const sentAt = performance.now()
    const { signal, done } = deadline(timeoutMs)
    const again = repeatable ? request.clone() : null
    try {
      // The server may have closed a kept connection: the request is repeated once on a new one.
      const first = wholeAnswer(fetch, request, signal)
      const answer = await (again ? first.catch((error) => unlessLate(error, fetch, again, signal)) : first)
      answeredAt = performance.now()
      return answer
    } catch (error) {
      // Only if the request was sent after the latest answer does its failure say something about the server now.
      if (isLate(error) && sentAt > answeredAt) awayUntil = performance.now() + AWAY_MS
      throw error instanceof DatabaseAway ? error : new DatabaseAway(reasonOf(error))
    } finally {
      done()
    }
  }
}

/**
 * A signal that aborts when the time is over. If this process was busy then (hashing passwords), the answer may have
 * arrived unread, so it gets as long again as the process was busy, at most `timeoutMs`.
 */
function deadline(timeoutMs: number): { signal: AbortSignal; done(): void } {
  const controller = new AbortController()
  const dueAt = performance.now() + timeoutMs
  const abort = () => controller.abort(new DOMException('no answer in time', 'TimeoutError'))
  let timer = setTimeout(() => {
    const busyMs = performance.now() - dueAt
    if (busyMs < BUSY_MS) abort()
    else timer = setTimeout(abort, Math.min(busyMs, timeoutMs))
  }, timeoutMs)
  return { signal: controller.signal, done: () => clearTimeout(timer) }
}

async function wholeAnswer(fetch: Fetch, request: Request, signal: AbortSignal): Promise<Response> {
  const response = await fetch(request, { signal })
  const body = await response.arrayBuffer()
  if (!response.ok)
    throw new DatabaseAway(`status ${response.status}${codeIn(body)}${adviceFor(response.status)}`)
  return new Response(body, { status: response.status, headers: response.headers })
}

/** Advice about a server that answers but refuses us. */
function adviceFor(status: number): string {
  if (status === 401) return ', it does not know PANEL_DB_TOKEN'
  return status === 403 ? ', PANEL_DB_TOKEN may not write' : ''
}

function unlessLate(error: unknown, fetch: Fetch, again: Request, signal: AbortSignal): Promise<Response> {
  if (isLate(error) || error instanceof DatabaseAway) throw error
  return wholeAnswer(fetch, again, signal)
}

const isLate = (error: unknown) => error instanceof Error && error.name === 'TimeoutError'

function reasonOf(error: unknown): string {
  if (isLate(error)) return 'no answer in time'
  return error instanceof Error ? error.message.slice(0, 100) : 'unknown'
}

/** The server's own code for a refusal, such as STREAM_EXPIRED; never its text. */
function codeIn(body: ArrayBuffer): string {
  const code = /"code"\s*:\s*"([A-Z_]{1,40})"/.exec(new TextDecoder().decode(body.slice(0, 1000)))?.[1]
  return code ? ` ${code}` : ''
}
