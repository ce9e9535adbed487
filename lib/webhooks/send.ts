import type { OutgoingRequest, Services } from '../endpoint/context.ts'
import type { Secret } from '../secrets/secret.ts'
import type { Outcome } from './decide.ts'
import { type Destination, destinationOf } from './destination.ts'
import { type Message, signedHeaders } from './sign.ts'

/** Over looking up, connecting, sending and the reply. */
const TIMEOUT_MS = 15_000
/** How much of a reply's body is kept. */
const KEPT_BYTES = 1024

type Sending = { url: string; message: Message; secrets: Secret[]; timeoutMs?: number }

/** Posts a message once. Never throws, follows no redirect, and connects only to addresses that it has checked. */
export async function sendOnce(services: Services, sending: Sending): Promise<Outcome> {
  const began = performance.now()
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), sending.timeoutMs ?? TIMEOUT_MS)
  try {
    const answer = await Promise.race([exchange(services, sending, abort.signal), aborted(abort.signal)])
    return { ...answer, tookMs: Math.round(performance.now() - began) }
  } catch (error) {
    const fault = abort.signal.aborted ? 'sin_respuesta' : connectionFault(error)
    return { status: null, reply: null, fault, tookMs: Math.round(performance.now() - began) }
  } finally {
    clearTimeout(timer)
    abort.abort()
  }
}

async function exchange(
  services: Services,
  { url, message, secrets }: Sending,
  signal: AbortSignal,
): Promise<Omit<Outcome, 'tookMs'>> {
  const to = new URL(url)
  const destination = await destinationOf(services, to)
  if (typeof destination === 'string') return { status: null, reply: null, fault: destination }
  const request: OutgoingRequest = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'controlpanel',
      'accept-encoding': 'identity',
      'content-length': String(new TextEncoder().encode(message.body).length),
      ...signedHeaders(message, secrets, services.now()),
    },
    body: message.body,
    signal,
  }
  const response = await post(services, request, { to, ...destination })
  const { status } = response
  const reply = await beginningOf(response)
  return { status, reply, fault: status >= 200 && status < 300 ? null : 'rechazada' }
}

function post(
  { fetch, fetchAt }: Services,
  request: OutgoingRequest,
  { to, addresses }: Destination & { to: URL },
): Promise<Response> {
  if (fetchAt && addresses !== null) return fetchAt(to, request, addresses)
  return fetch(to.href, { ...request, redirect: 'manual' })
}

/** The beginning of a body as text without control characters, and no more of it is read. */
async function beginningOf({ body }: Response): Promise<string> {
  if (body === null) return ''
  const reader = body.getReader()
  const kept = new Uint8Array(KEPT_BYTES)
  let length = 0
  while (length < KEPT_BYTES) {
    const { done, value } = await reader.read()
    if (done) break
    kept.set(value.subarray(0, KEPT_BYTES - length), length)
    length = Math.min(KEPT_BYTES, length + value.length)
  }
  await reader.cancel().catch(() => undefined)
  const text = new TextDecoder().decode(kept.subarray(0, length))
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g, ' ')
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true })
  })

/** Whether the certificate is to blame; where the runtime does not tell, the connection is. */
function connectionFault(error: unknown): 'certificado_rechazado' | 'sin_conexion' {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /CERT|TLS|SELF_SIGNED|UNABLE_TO|LEAF_SIGNATURE/.test(code) ? 'certificado_rechazado' : 'sin_conexion'
}
