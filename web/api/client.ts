import { language } from '../text/language.ts'
import { isOutage, noteConnection } from './connection.ts'
import { ApiError, errorOf, sessionEnded, unreachable } from './errors.ts'
import { logRequest } from './log.ts'
import type { InputOf, Operation, OutputOf } from './operations.ts'
import { endImpersonation, forget, hasLapsed, lapse, mayRenew, session, signIn } from './session.ts'

export type Reply<K extends Operation> = {
  data: OutputOf<K>
  status: number
  etag: string | null
  peticion: string | null
}

type Loose = { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }
type Extra = {
  signal?: AbortSignal
  ifMatch?: string
  ifNoneMatch?: string
  idempotencyKey?: string
  events?: { last: string | null }
}

/** Calls one operation of the API and answers its data; throws ApiError. */
export async function call<K extends Operation>(op: K, input: InputOf<K>, extra: Extra = {}) {
  return (await reply(op, input, extra)).data
}

/** The same with status and headers. */
export async function reply<K extends Operation>(
  op: K,
  input: InputOf<K>,
  extra: Extra = {},
): Promise<Reply<K>> {
  // An operation's input is its path parameters, query and body, whatever their types.
  const response = await answered(op, input as Loose, extra)
  const json = response.headers.get('content-type')?.includes('json') ?? false
  return {
    // The server applies the operation's output schema to every answer.
    data: (json ? await response.json() : await response.text()) as OutputOf<K>,
    status: response.status,
    etag: response.headers.get('etag'),
    peticion: response.headers.get('x-request-id'),
  }
}

/** The events of an operation that can be followed, from after the last one that was seen. */
export async function openStream<K extends Operation>(
  op: K,
  input: InputOf<K>,
  { signal, last }: { signal: AbortSignal; last: string | null },
): Promise<ReadableStream<Uint8Array>> {
  const { body } = await answered(op, input as Loose, { signal, events: { last } })
  if (body === null) throw unreachable()
  return body
}

/** The answer itself, whose body is still to be read; throws ApiError for all but 2xx. */
export async function answered(op: Operation, loose: Loose, extra: Extra = {}): Promise<Response> {
  const open = op.includes(' /acceso/')
  if (!open) await freshBearer()
  if (!open && hasLapsed(session.get())) throw sessionEnded()
  let response = await send(op, loose, extra)
  if (response.status === 401 && !open) {
    const error = await errorOf(response)
    if (!(await recovered(error))) throw error
    response = await send(op, loose, extra)
  }
  if (!response.ok) throw await errorOf(response)
  return response
}

/** Method and path of an operation with its parameters and query filled in. */
export function address(op: Operation, input: Loose): { method: string; path: string } {
  const [method = 'GET', template = '/'] = op.split(' ')
  const path = template.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(input.params?.[name] ?? ''),
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== '') query.set(name, String(value))
  }
  const search = query.toString()
  return { method, path: search ? `${path}?${search}` : path }
}

let renewal: Promise<boolean> | null = null

/** A new bearer for the renewal cookie; whatever asks meanwhile shares the one request. */
export function renew(): Promise<boolean> {
  renewal ??= askRenewal().finally(() => {
    renewal = null
  })
  return renewal
}

/** Ends the session at the panel, here and in every other tab. */
export async function signOut(): Promise<void> {
  try {
    await call('POST /acceso/salir', {})
  } finally {
    forget('left')
  }
}

async function askRenewal(): Promise<boolean> {
  if (!mayRenew()) {
    forget(null)
    return false
  }
  try {
    signIn(await call('POST /acceso/renovar', {}))
    return true
  } catch (error) {
    // Only a refusal ends the session: a panel that restarts must not sign everybody out.
    if (error instanceof ApiError && error.status === 401) lapse()
    else if (session.get().kind === 'unknown') throw error
    return false
  }
}

/** A bearer that runs out within half a minute is renewed before it is used. */
export async function freshBearer(): Promise<void> {
  const now = session.get()
  if (now.kind === 'in' && !now.admin && !now.lapsed && now.expires - Date.now() < 30_000) await renew()
}

/** After a 401: a bearer that ran out is renewed and the request repeated, once; anything else is the end. */
async function recovered(error: ApiError): Promise<boolean> {
  const now = session.get()
  if (now.kind !== 'in') return false
  if (now.admin) {
    endImpersonation('time')
    return false
  }
  if (error.codigo === 'sesion_caducada') return renew()
  if (['sesion_terminada', 'credencial_invalida'].includes(error.codigo)) lapse()
  return false
}

async function send(op: Operation, input: Loose, extra: Extra): Promise<Response> {
  const { method, path } = address(op, input)
  const started = performance.now()
  const about = (status: number, peticion: string | null) =>
    logRequest({ method, path, status, ms: Math.round(performance.now() - started), peticion })
  try {
    const response = await (begun(op) ??
      fetch(path, {
        method,
        headers: headersOf(path, input, extra),
        credentials: path.startsWith('/acceso/') ? 'same-origin' : 'omit',
        ...bodyOf(input),
        ...(extra.signal ? { signal: extra.signal } : {}),
      }))
    about(response.status, response.headers.get('x-request-id'))
    noteConnection(isOutage(response.status) ? 'lost' : 'there')
    return response
  } catch (error) {
    if (extra.signal?.aborted) throw error
    about(0, null)
    noteConnection('lost')
    throw unreachable()
  }
}

/** The renewal that the page's first script has sent, once. */
function begun(op: Operation): Promise<Response> | null {
  if (op !== 'POST /acceso/renovar' || !globalThis.boot) return null
  const { renewal } = globalThis.boot
  globalThis.boot.renewal = null
  return renewal
}

function headersOf(path: string, input: Loose, extra: Extra): Record<string, string> {
  const now = session.get()
  return {
    'accept-language': language.get(),
    ...(path.startsWith('/api/') && now.kind === 'in' ? { authorization: `Bearer ${now.bearer}` } : {}),
    ...(input.body === undefined ? {} : { 'content-type': typeOf(input.body) }),
    ...(extra.events ? { accept: 'text/event-stream' } : {}),
    ...(extra.events?.last ? { 'last-event-id': extra.events.last } : {}),
    ...(extra.ifMatch ? { 'if-match': extra.ifMatch } : {}),
    ...(extra.ifNoneMatch ? { 'if-none-match': extra.ifNoneMatch } : {}),
    ...(extra.idempotencyKey ? { 'idempotency-key': extra.idempotencyKey } : {}),
  }
}

function typeOf(body: unknown): string {
  if (body instanceof Blob) return 'application/octet-stream'
  return body instanceof Uint8Array ? 'text/dns' : 'application/json'
}

function bodyOf({ body }: Loose): { body?: BodyInit } {
  if (body === undefined) return {}
  if (body instanceof Blob) return { body }
  return { body: body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body) }
}
