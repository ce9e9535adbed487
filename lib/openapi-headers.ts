import type { Handler } from './handler.ts'

type Json = Record<string, unknown>

const text = (description: string, more: Json = {}): Json => ({
  description,
  schema: { type: 'string' },
  ...more,
})

/** Headers of answers, as `components.headers` holds them; `required` is on every answer that names it. */
export const HEADERS: Record<string, Json> = {
  'X-Request-Id': text('Names the request in the log; an error repeats it as `peticion`.', {
    required: true,
  }),
  RateLimit: text('What is left of the budget, and the seconds until it is whole again.'),
  'RateLimit-Policy': text('The budget that comes closest to its end, and its window in seconds.'),
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
  Location: text('The path of what was made.', { required: true }),
  ETag: text("The state of the zone's records, for `If-Match` of a change.", { required: true }),
  'Idempotency-Replayed': text('`true` where the answer is the first one to this `Idempotency-Key`.'),
  'Set-Cookie': text('The renewal cookie `__Host-panel`, where a session begins, goes on or ends.'),
  Allow: text('The methods that the resource takes, with 405.'),
  'WWW-Authenticate': text('`Bearer error="invalid_token"`, with 401.'),
}

/** The headers that a request may carry. */
export function requestHeaders(handler: Handler): Json[] {
  return [
    ...(takesKey(handler) ? [header('Idempotency-Key', { maxLength: 64 })] : []),
    ...(handler.ifMatch ? [header('If-Match', {})] : []),
    ...(handler.cookie ? [{ name: '__Host-panel', in: 'cookie', schema: { type: 'string' } }] : []),
  ]
}

const header = (name: string, more: Json): Json => ({
  name,
  in: 'header',
  required: false,
  schema: { type: 'string', ...more },
})

/** The headers that an answer of this status may carry; `default` stands for every error. */
export function answerHeaders(handler: Handler, status: number | 'default'): Json {
  const names = ['X-Request-Id']
  if (handler.access.kind !== 'cron') names.push('RateLimit', 'RateLimit-Policy')
  if (status === 'default') names.push('Retry-After', 'WWW-Authenticate', 'Allow')
  else names.push(...successHeaders(handler, status))
  return refs(names)
}

function successHeaders(handler: Handler, status: number): string[] {
  return [
    ...(status === 201 ? ['Location'] : []),
    ...(handler.etag ? ['ETag'] : []),
    ...(takesKey(handler) ? ['Idempotency-Replayed'] : []),
    ...(handler.access.kind === 'open' && handler.secret ? ['Set-Cookie'] : []),
  ]
}

/** References to the shared descriptions. */
export const refs = (names: string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const takesKey = (handler: Handler) => handler.method !== 'GET' && !handler.secret
