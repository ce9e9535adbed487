import { givesStream, type Handler } from '../../lib/endpoint/handler.ts'
import { acceptedCoding } from './preferences.ts'

type Coding = 'zstd' | 'gzip'

/** How a host compresses answers, best first; a host without any leaves it to the network before it. */
export type Codings = Partial<Record<Coding, (body: Uint8Array) => Uint8Array<ArrayBuffer>>>

/** Below this an answer fits into a packet anyway. */
const LEAST_BYTES = 1024

/**
 * Whether answers of an operation may be compressed: what is read with a bearer. The length of a compressed text tells
 * of its content whoever can have words of their own put into it, so nothing is that holds a secret: no sign-in, no
 * renewal, and none of the answers to a change, where new secrets are shown.
 */
export const isCompressible = (handler: Handler): boolean =>
  handler.method === 'GET' && handler.access.kind === 'bearer' && !handler.secret && !givesStream(handler)

/** The body as this request accepts it; tells so in the headers. */
export function coded(
  text: string,
  headers: Headers,
  { request, codings }: { request: Request; codings?: Codings | undefined },
): string | Uint8Array<ArrayBuffer> {
  if (!codings) return text
  headers.append('vary', 'accept-encoding')
  if (text.length < LEAST_BYTES) return text
  // The keys are those of the type, in the order in which the host wrote them.
  const coding = acceptedCoding(request.headers.get('accept-encoding'), Object.keys(codings) as Coding[])
  const compress = coding && codings[coding]
  if (!compress) return text
  headers.set('content-encoding', coding)
  // Two codings of one state are two representations, whose strong tags must differ (RFC 9110 section 8.8.3.3).
  const tag = headers.get('etag')
  if (tag) headers.set('etag', tag.replace(/"$/, `+${coding}"`))
  return compress(new TextEncoder().encode(text))
}

/** Headers whose conditions name a state by its tag, in whatever coding that was read. */
const CONDITIONS = ['if-match', 'if-none-match', 'if-range']
const CODED = /\+(?:zstd|gzip)(?=")/

/** The headers of a request, its conditions without the codings that `coded` put into the tags. */
export function withoutCodings(headers: Headers): Headers {
  const changed = CONDITIONS.filter((name) => CODED.test(headers.get(name) ?? ''))
  if (changed.length === 0) return headers
  const plain = new Headers(headers)
  for (const name of changed)
    plain.set(name, (headers.get(name) ?? '').replaceAll(new RegExp(CODED, 'g'), ''))
  return plain
}
