import { MAX_BODY_BYTES } from '../../lib/endpoint/body.ts'
import { AppError } from '../../lib/endpoint/errors.ts'
import type { Answer } from '../../lib/endpoint/handler.ts'

export const SECURITY_HEADERS = {
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/** The body of a request, held whole. */
export async function readBody(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES)
    throw new AppError('cuerpo_demasiado_grande')
  if (!request.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new AppError('cuerpo_demasiado_grande')
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

/** Bytes that a customer wrote: the browser must neither run them in the panel's origin nor guess their type. */
export function streamed(answer: Answer, extra: Record<string, string>): Response {
  const { status } = answer
  const headers = { ...SECURITY_HEADERS, ...extra, ...answer.headers }
  if (status === 204 || status === 304) return new Response(null, { status, headers })
  const alone = { 'content-security-policy': "default-src 'none'; sandbox" }
  // Handlers of streams answer nothing else.
  return new Response(answer.body as ReadableStream, { status, headers: { ...alone, ...headers } })
}
