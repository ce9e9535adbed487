import { MAX_BODY_BYTES, MAX_OPEN_BODY_BYTES } from '../../lib/endpoint/body.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import type { Access, Answer } from '../../lib/endpoint/handler.ts'

export const SECURITY_HEADERS = {
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/** The body of a request, held whole; 413 beyond what its `access` allows, 400 where it ends before its end. */
export async function readBody(request: Request, { kind }: Access): Promise<Uint8Array> {
  const limit = kind === 'open' ? MAX_OPEN_BODY_BYTES : MAX_BODY_BYTES
  if (Number(request.headers.get('content-length') ?? 0) > limit)
    throw new AppError('cuerpo_demasiado_grande')
  if (!request.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of untilHungUp(request.body)) {
    size += chunk.length
    if (size > limit) throw new AppError('cuerpo_demasiado_grande')
    chunks.push(chunk)
  }
  const body = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    body.set(chunk, offset)
    offset += chunk.length
  }
  return body
}

/** A caller that hangs up is no fault of the panel's. */
async function* untilHungUp(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    throw new AppError('json_invalido', {}, { cause })
  }
}

/** Bytes that a customer wrote: the browser must neither run them in the panel's origin nor guess their type. */
export function streamed(answer: Answer, extra: Record<string, string>): Response {
  const { status } = answer
  const headers = { ...SECURITY_HEADERS, ...extra, ...answer.headers }
  if (status === 204 || status === 304) return new Response(null, { status, headers })
  const alone = { 'content-security-policy': "default-src 'none'; sandbox" }
  // Handlers of streams answer nothing else.
  return new Response(answer.body as ReadableStream, { status, headers: { ...alone, ...headers } })
}
