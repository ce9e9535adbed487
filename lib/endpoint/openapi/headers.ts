import { type Handler, takesStream } from '../handler.ts'
import type { Json } from './schemas.ts'

const text = (description: string, more: Json = {}): Json => ({
  description,
  schema: { type: 'string' },
  ...more,
})

/** The response headers, as in `components.headers`; a `required` one is on every answer that lists it. */
export const HEADERS: Record<string, Json> = {
  'X-Request-Id': text('Names the request in the log; an error repeats it as `peticion`.', {
    required: true,
  }),
  RateLimit: text('What is left of the budget (`r`), and in how many seconds there is more of it (`t`).'),
  'RateLimit-Policy': text('The budget that comes closest to its end: so many (`q`) in any `w` seconds.'),
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
  Location: text('The path of what was made.', { required: true }),
  ETag: text(
    'The state of what was read or changed, for `If-Match` of a change. A compressed answer’s ends in its coding; either names the state.',
    { required: true },
  ),
  'Idempotency-Replayed': text('`true` where the answer is the first one to this `Idempotency-Key`.'),
  'Set-Cookie': text('The renewal cookie `__Host-panel`, where a session begins, goes on or ends.'),
  'WWW-Authenticate': text('`Bearer error="invalid_token"`, with 401.'),
}

/** The headers that a request may carry. */
export function requestHeaders(handler: Handler): Json[] {
  return [
    ...(takesKey(handler) ? [IDEMPOTENCY_KEY] : []),
    ...(handler.ifMatch ? [IF_MATCH] : []),
    ...(handler.cookie ? [COOKIE] : []),
  ]
}

const parameter = (where: string, name: string, description: string, schema: Json): Json => ({
  name,
  in: where,
  required: false,
  description,
  schema: { type: 'string', ...schema },
})
const IDEMPOTENCY_KEY = parameter(
  'header',
  'Idempotency-Key',
  'The same key, route and body within 24 hours get the first answer again and have one effect.',
  { pattern: '^[!-~]{1,64}$', examples: ['pedido-118'] },
)
const IF_MATCH = parameter(
  'header',
  'If-Match',
  'Changes nothing (412) unless what is changed is still in the state of this `ETag`.',
  { examples: ['"2026112101"'] },
)
const COOKIE = parameter('cookie', '__Host-panel', 'The renewal cookie, which the panel has set.', {})

const rates = (handler: Handler) => (handler.access.kind === 'cron' ? [] : ['RateLimit', 'RateLimit-Policy'])

/** The headers that a success of this status may carry. */
export const answerHeaders = (handler: Handler, status: number): Json =>
  refs(['X-Request-Id', ...rates(handler), ...successHeaders(handler, status)])

/** The names of the headers that an error may carry. */
export const errorHeaders = (handler: Handler, status: number): string[] => [
  'X-Request-Id',
  ...rates(handler),
  ...(status === 401 ? ['WWW-Authenticate'] : []),
  ...(status === 429 || status === 503 ? ['Retry-After'] : []),
]

function successHeaders(handler: Handler, status: number): string[] {
  return [
    ...(status === 201 ? ['Location'] : []),
    ...(handler.etag ? ['ETag'] : []),
    ...(takesKey(handler) ? ['Idempotency-Replayed'] : []),
    ...(handler.access.kind === 'open' && handler.secret ? ['Set-Cookie'] : []),
  ]
}

/** References to the shared header descriptions. */
export const refs = (names: string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const takesKey = (handler: Handler) => handler.method !== 'GET' && !handler.secret && !takesStream(handler)
