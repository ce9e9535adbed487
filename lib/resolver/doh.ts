import type { QueryType, Resolver, ResolverAnswer } from '../endpoint/context.ts'
import { answersQuery, decodeAnswer, encodeQuery } from './message.ts'

const MAX_BYTES = 65_535
const TYPE = 'application/dns-message'

type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** A resolver over HTTPS (RFC 8484), by POST; the id is 0 as section 4.1 advises. Never throws. */
export function dohResolver(url: string, fetch: Fetch): Resolver {
  return {
    label: url,
    async query(name: string, type: QueryType, timeoutMs: number): Promise<ResolverAnswer> {
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const message = await exchange(fetch, url, encodeQuery(0, name, type), signal)
        if (message === null || !answersQuery(message, 0, name, type)) {
          return { kind: 'failure', reason: 'malformed' }
        }
        return decodeAnswer(message, name, type)
      } catch {
        return { kind: 'failure', reason: signal.aborted ? 'timeout' : 'unreachable' }
      }
    },
  }
}

async function exchange(
  fetch: Fetch,
  url: string,
  query: Uint8Array,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    signal,
    headers: { accept: TYPE, 'content-type': TYPE },
    body: new Uint8Array(query),
  })
  const typed = response.headers.get('content-type')?.startsWith(TYPE) ?? false
  if (response.status !== 200 || !typed || response.body === null) return null
  return collect(response.body)
}

async function collect(body: ReadableStream<Uint8Array>): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = []
  let length = 0
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.byteLength
    if (length > MAX_BYTES) return null
    parts.push(value)
  }
  const message = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    message.set(part, at)
    at += part.byteLength
  }
  return message
}
