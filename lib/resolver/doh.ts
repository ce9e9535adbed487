import { answersQuery, decodeAnswer, encodeQuery } from './message.ts'
import { type Answer, type QueryType, type Resolver, ResolverError } from './types.ts'

const MAX_BYTES = 65_535
const TYPE = 'application/dns-message'

/** A resolver over HTTPS (RFC 8484), by POST; the id is 0 as section 4.1 advises. */
export function dohResolver(
  url: string,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
): Resolver {
  return {
    name: url,
    async query(name: string, type: QueryType, timeoutMs: number): Promise<Answer> {
      const message = await exchange(fetch, url, encodeQuery(0, name, type), timeoutMs)
      if (!answersQuery(message, 0, name, type)) throw new ResolverError('malformed')
      return decodeAnswer(message, name, type)
    },
  }
}

async function exchange(
  fetch: (url: string, init: RequestInit) => Promise<Response>,
  url: string,
  query: Uint8Array,
  timeoutMs: number,
): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal,
      headers: { accept: TYPE, 'content-type': TYPE },
      body: new Uint8Array(query),
    })
    const typed = response.headers.get('content-type')?.startsWith(TYPE) ?? false
    if (response.status !== 200 || !typed || response.body === null) throw new ResolverError('malformed')
    return await collect(response.body)
  } catch (error) {
    if (error instanceof ResolverError) throw error
    throw new ResolverError(signal.aborted ? 'timeout' : 'unreachable')
  }
}

async function collect(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.byteLength
    if (length > MAX_BYTES) throw new ResolverError('malformed')
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
