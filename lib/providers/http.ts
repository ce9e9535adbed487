import { isPublicAddress, isPublicHost, providerOrigin } from './address.ts'
import { type ProviderDeps, ProviderFault } from './types.ts'

const CALL_TIMEOUT_MS = 10_000
const DEFAULT_MAX_BYTES = 4 * 1024 * 1024

export type Call = {
  /** Stable name of what is being done, for the fault's message. */
  operation: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below the base, already encoded. */
  path: string
  body?: unknown
  maxBytes?: number
}

/** `json` is undefined where the body is no JSON; `text` serves only to recognise known errors. */
export type Reply = { status: number; headers: Headers; json: unknown; text: string }

type Network = Pick<ProviderDeps, 'fetch' | 'allowPrivate' | 'resolve' | 'remainingMs'>

export type Http = (call: Call) => Promise<Reply>

/**
 * Makes bounded calls below `base`: a deadline over connection and body, no redirects (they would carry the
 * credential elsewhere), a limit on the body, and no private address. Throws `ProviderFault` of kinds
 * `deadline`, `address`, `timeout`, `unreachable`, `protocol`; statuses are left to the caller.
 */
export function boundedHttp(deps: Network, base: string, headers: () => Record<string, string>): Http {
  const origin = providerOrigin(new URL(base).origin, deps.allowPrivate)
  return async (call) => {
    await assertPublic(deps, origin, call.operation)
    const remainingMs = Math.min(CALL_TIMEOUT_MS, deps.remainingMs())
    if (remainingMs < 1_000) throw new ProviderFault('deadline', call.operation)
    const abort = new AbortController()
    const timer = setTimeout(() => abort.abort(), remainingMs)
    try {
      return await exchange(deps, base, headers(), call, abort.signal)
    } catch (error) {
      if (error instanceof ProviderFault) throw error
      throw new ProviderFault(abort.signal.aborted ? 'timeout' : 'unreachable', call.operation)
    } finally {
      clearTimeout(timer)
    }
  }
}

async function exchange(
  deps: Network,
  base: string,
  headers: Record<string, string>,
  call: Call,
  signal: AbortSignal,
): Promise<Reply> {
  const response = await deps.fetch(`${base}${call.path}`, {
    method: call.method,
    redirect: 'manual',
    signal,
    headers: {
      accept: 'application/json',
      'user-agent': 'controlpanel',
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  })
  const moved = response.status >= 300 && response.status < 400 && response.status !== 304
  if (response.status === 0 || moved) {
    await response.body?.cancel()
    throw new ProviderFault('protocol', call.operation, { status: response.status })
  }
  const text = await readBounded(response, call, signal)
  return { status: response.status, headers: response.headers, json: parse(text), text }
}

async function readBounded(response: Response, call: Call, signal: AbortSignal): Promise<string> {
  if (response.body === null) return ''
  const limit = call.maxBytes ?? DEFAULT_MAX_BYTES
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    // A body that stalls must end with the deadline on runtimes whose abort reaches only the headers.
    const { done, value } = await Promise.race([reader.read(), aborted(signal)])
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > limit) {
      await reader.cancel().catch(() => undefined)
      throw new ProviderFault('protocol', call.operation, { status: response.status })
    }
    text += decoder.decode(value, { stream: true })
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(new Error('aborted'))
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true })
  })
}

function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function assertPublic(deps: Network, origin: string, operation: string): Promise<void> {
  if (deps.allowPrivate) return
  const host = new URL(origin).hostname
  if (!isPublicHost(host)) throw new ProviderFault('address', operation)
  if (deps.resolve === null || /^[\d.]+$|^\[/.test(host)) return
  const addresses = await deps.resolve(host)
  // Whoever connects would ask the machine's own list as well, which leads such a name to loopback.
  if (addresses.length === 0) throw new ProviderFault('unreachable', operation)
  if (addresses.some((address) => !isPublicAddress(address))) throw new ProviderFault('address', operation)
}

/** The faults that mean the same at every provider; null for a status that the adapter must read itself. */
export function commonFault(reply: Reply, operation: string, code?: string | number): ProviderFault | null {
  const detail = { status: reply.status, ...(code === undefined ? {} : { code }) }
  if (reply.status === 401 || reply.status === 403) return new ProviderFault('credential', operation, detail)
  if (reply.status === 429) {
    return new ProviderFault('throttled', operation, {
      ...detail,
      retryAfterSeconds: retryAfter(reply.headers),
    })
  }
  if (reply.status >= 500) return new ProviderFault('server', operation, detail)
  return null
}

/**
 * Seconds to wait: `Retry-After` (RFC 9110 section 10.2.3), else the instant in `RateLimit-Reset`, between
 * one second and one day; a minute where neither says.
 */
export function retryAfter(headers: Headers): number {
  const value = headers.get('retry-after')?.trim()
  const sentMs = Date.parse(headers.get('date') ?? '')
  if (value !== undefined && /^\d+$/.test(value)) return bounded(Number(value))
  const reset = headers.get('ratelimit-reset')?.trim() ?? ''
  const untilMs =
    value !== undefined ? Date.parse(value) : /^\d{10}$/.test(reset) ? Number(reset) * 1000 : Number.NaN
  const seconds = (untilMs - sentMs) / 1000
  return Number.isNaN(seconds) ? 60 : bounded(seconds)
}

function bounded(seconds: number): number {
  return Math.min(86_400, Math.max(1, Math.ceil(seconds)))
}
