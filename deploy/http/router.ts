import { Elysia } from 'elysia'
import type { Actor, RequestInfo, Services } from '../../lib/endpoint/context.ts'
import { withinDeadline } from '../../lib/endpoint/deadline.ts'
import { AppError, problemOf } from '../../lib/endpoint/errors.ts'
import { type Answer, givesStream, type Handler, takesStream } from '../../lib/endpoint/handler.ts'
import { invoke } from '../../lib/endpoint/invoke.ts'
import { sameHash } from '../../lib/identity/bearer.ts'
import type { RequestKind } from '../../lib/metrics/tally.ts'
import { sha256 } from '../../lib/secrets/hash.ts'
import { KeyMissing } from '../../lib/secrets/keys.ts'
import { authenticate, bearerOf, refuseBearer } from '../../lib/sign-in/authenticate.ts'
import { ulid } from '../../lib/store/ids.ts'
import { isOutOfSpace, rootMessage } from '../../lib/text/root-message.ts'
import { clientAddress } from './address.ts'
import { type Assets, serveAsset } from './assets.ts'
import { readBody, SECURITY_HEADERS, streamed } from './bodies.ts'
import { chargeAddress, chargeBearer, requireBudget } from './budgets.ts'
import { type Codings, coded, isCompressible, withoutCodings } from './codings.ts'
import { DatabaseLate } from './deadline.ts'
import { documentation, fullPath } from './docs.ts'
import { health } from './health.ts'
import { createMetrics, type Peer, type Watching } from './metrics.ts'
import { preferredLanguage } from './preferences.ts'
import { pathMatches, queryOf, routable } from './requests.ts'

export type AppOptions = {
  services: Services
  /** All handlers, or the ones that this host serves. */
  handlers: Handler[]
  assets: Assets
  /** Serves files that the host keeps elsewhere; null for a path where it has none. */
  files?(pathname: string, request: Request): Promise<Response | null>
  trustedProxies: string[]
  /** False if generating code is forbidden (workerd). */
  aot: boolean
  /** After this time the answer is 503, whatever the database does; scheduled handlers are not limited. */
  answerMs?: number
  /** How this host compresses what is read through the API. */
  codings?: Codings
  /** What a node adds to the metrics. */
  watching?: Watching
  /** Reads what is left of a request that is about to be answered, if the connection needs that. */
  rest?(request: Request): Promise<void>
}

/** Keeps the host running until this work has ended, which may be after the answer. */
type Later = (work: Promise<unknown>) => void

/** Answers one request whose connection came from `peer`. */
export type App = { fetch(request: Request, peer: Peer, later?: Later): Promise<Response> }

/** What a request is counted as: its path's pattern, once a handler is known. */
type Counted = { operation: string; kind: RequestKind }

type Asked = {
  request: Request
  url: URL
  bearer: string | null
  peer: Peer
  info: RequestInfo
  later: Later
  counted: Counted
}

type Pending = {
  request: Request
  url: URL
  services: Services
  info: RequestInfo
  actor: Actor
  rates: Record<string, string>
  counted: Counted
  codings?: Codings | undefined
}

/** What is told without a bearer, whatever is asked for. */
export const GATE_HEADERS = { 'content-length': '0', 'cache-control': 'no-store' }
/** Builds the app that every host serves: first the bearer check, then Elysia's routes. */
export function createApp(options: AppOptions): App {
  const { services } = options
  const pending = new WeakMap<Request, Pending>()
  const router = routes(options, pending)
  const unhurried = untimed(options.handlers)
  const docs = documentation(services.config, options.handlers)
  const metrics = createMetrics(services, options.watching)

  return {
    async fetch(original, peer, later = () => {}) {
      const began = performance.now()
      const counted: Counted = { operation: 'other', kind: 'web' }
      const response = await fetch(routable(original), { peer, later, counted })
      const seconds = (performance.now() - began) / 1000
      metrics.tally.answered({ ...counted, status: response.status, seconds })
      return response
    },
  }

  async function fetch(
    request: Request,
    { peer, later, counted }: Pick<Asked, 'peer' | 'later' | 'counted'>,
  ) {
    const url = new URL(request.url)
    const { pathname } = url
    const api = pathname === '/api' || pathname.startsWith('/api/')
    const bearer = bearerOf(request.headers.get('authorization'))
    // Without a bearer nothing else of the request is looked at, and every answer is the same.
    if (api && bearer === null) {
      await options.rest?.(request)
      return new Response(null, { status: 404, headers: GATE_HEADERS })
    }
    const info = requestInfo(options, request, peer)
    // Only after the request has been handled, since a handler may read the body late.
    const answer = answerTo({ request, url, bearer, peer, info, later, counted }).finally(() =>
      options.rest?.(request),
    )
    // If the caller hangs up, a transaction still runs to its end: left open, its lock would keep others waiting.
    later(answer)
    if (options.answerMs === undefined || unhurried(pathname)) return answer
    return withinDeadline(answer, options.answerMs, () =>
      problem({ services, info, rates: {} }, new DatabaseLate()),
    )
  }

  async function answerTo(asked: Asked): Promise<Response> {
    const { request, url, bearer, info, later, counted } = asked
    const { pathname } = url
    let rates: Record<string, string> = {}
    try {
      if (pathname === '/api' || pathname.startsWith('/api/')) {
        const actor = await authenticate(services, bearer ?? '', info.address, later).catch(countRefusal)
        const charge = chargeBearer(services, actor, request.method)
        rates = charge.headers
        requireBudget(charge)
        return await route({ request, url, services, info, actor, rates, counted })
      }
      if (pathname.startsWith('/acceso/')) {
        refuseForeignOrigin(services, request)
        const charge = chargeAddress(services, info.address)
        rates = charge.headers
        requireBudget(charge)
        return await route({ request, url, services, info, actor: { kind: 'anonymous' }, rates, counted })
      }
      if (pathname.startsWith('/cron/')) {
        await requireCronSecret(services, bearer, info.address)
        return await route({ request, url, services, info, actor: { kind: 'cron' }, rates, counted })
      }
      const answer = (await publicAnswer(asked)) ?? notFound()
      answer.headers.set('x-request-id', info.id)
      return answer
    } catch (error) {
      return problem({ services, info, rates }, error)
    }
  }

  function countRefusal(error: unknown): never {
    if (error instanceof AppError) metrics.tally.refused(error.codigo)
    throw error
  }

  /** Elysia gets only the address: without code generation it would read the body itself. */
  function route(state: Pending): Promise<Response> {
    const { request } = state
    const { method } = request
    // A HEAD is answered like its GET, without the body (RFC 9110 section 9.3.2).
    state.codings = options.codings
    const routed =
      options.aot && method !== 'HEAD'
        ? request
        : new Request(request.url, { method: method === 'HEAD' ? 'GET' : method })
    pending.set(routed, state)
    return router.fetch(routed)
  }

  async function publicAnswer({ request, url, bearer, peer, info }: Asked): Promise<Response | null> {
    const { pathname } = url
    if (request.method !== 'GET' && request.method !== 'HEAD') return null
    if (pathname === '/salud') return health(services)
    if (pathname === '/metrics') return metrics.answer({ request, bearer, peer, address: info.address })
    const known = docs(request, options.codings) ?? serveAsset(options.assets, pathname, request)
    return known ?? (await options.files?.(pathname, request)) ?? null
  }
}

/** Whether the handler at an address has no time limit: scheduled handlers and streams. */
function untimed(handlers: Handler[]): (pathname: string) => boolean {
  const streams = handlers.filter((handler) => kindOf(handler) === 'stream')
  return (pathname) =>
    pathname.startsWith('/cron/') || streams.some((handler) => pathMatches(fullPath(handler), pathname))
}

function notFound(): never {
  throw new AppError('no_encontrado')
}

/** One Elysia route per handler. Elysia only routes; validation, errors and answers are ours. */
function routes(
  options: AppOptions,
  pending: WeakMap<Request, Pending>,
): { fetch(request: Request): Promise<Response> } {
  const app = new Elysia({ aot: options.aot, normalize: false, strictPath: true })
  for (const handler of options.handlers) {
    const counted = { operation: patternOf(handler), kind: kindOf(handler) }
    app.route(
      handler.method,
      fullPath(handler),
      async ({ request, params }: { request: Request; params: Record<string, string> }) => {
        const state = pending.get(request)
        if (!state) return new Response(null, { status: 404 })
        Object.assign(state.counted, counted)
        return serve(handler, state, params ?? {})
      },
      { parse: 'none' },
    )
  }
  app.onError(({ request, code }) => {
    const state = pending.get(request)
    if (!state) return new Response(null, { status: 404 })
    const error = code === 'NOT_FOUND' ? missing(options.handlers, request) : new AppError('error_interno')
    return problem(state, error)
  })
  return { fetch: async (request) => app.fetch(request) }
}

/** As Prometheus shows it: `GET /api/clientes/<cliente>`. */
const patternOf = (handler: Handler) => `${handler.method} ${fullPath(handler).replace(/:(\w+)/g, '<$1>')}`

function kindOf(handler: Handler): RequestKind {
  if (handler.access.kind === 'open') return 'sign-in'
  if (handler.access.kind === 'cron') return 'scheduled'
  if (takesStream(handler) || givesStream(handler) || handler.follow) return 'stream'
  return handler.method === 'GET' ? 'read' : 'write'
}

async function serve(handler: Handler, pending: Pending, params: Record<string, string>): Promise<Response> {
  const { request, url, services, info, actor, rates } = pending
  try {
    const answer = await invoke(handler, services, actor, {
      info,
      route: url.pathname + url.search,
      params: { ...params },
      query: queryOf(url),
      body: () => readBody(request, handler.access),
      stream: () => request.body ?? new Blob([]).stream(),
    })
    const response = answerOf(handler, answer, pending)
    if (request.method !== 'HEAD') return response
    await response.body?.cancel()
    return new Response(null, response)
  } catch (error) {
    return problem({ services, info, rates }, error)
  }
}

function answerOf(handler: Handler, answer: Answer, pending: Pending): Response {
  const extra = { ...pending.rates, 'x-request-id': pending.info.id }
  if (answer.body instanceof ReadableStream && handler.follow) return streamed(answer, extra)
  if (givesStream(handler)) return streamed(answer, { 'content-type': String(handler.produces), ...extra })
  const type = handler.produces ? `${handler.produces}; charset=utf-8` : 'application/json'
  const text = handler.produces ? String(answer.body) : JSON.stringify(answer.body)
  const headers = new Headers({ ...SECURITY_HEADERS, 'content-type': type, ...extra, ...answer.headers })
  for (const cookie of answer.cookies ?? []) headers.append('set-cookie', cookie)
  const body = isCompressible(handler) ? coded(text, headers, pending) : text
  return new Response(body, { status: answer.status, headers })
}

type Failed = Pick<Pending, 'services' | 'info' | 'rates'>

function problem(failed: Failed, thrown: unknown): Response {
  const { services, info, rates } = failed
  const error = publicError(failed, thrown)
  const about = { origin: services.config.origin, language: info.language, requestId: info.id }
  const headers: Record<string, string> = {
    ...SECURITY_HEADERS,
    ...rates,
    'content-type': 'application/problem+json',
    'x-request-id': info.id,
    'content-language': info.language,
  }
  if (error.status === 401) headers['www-authenticate'] = 'Bearer error="invalid_token"'
  if (error.extra.retryAfterSeconds) headers['retry-after'] = String(error.extra.retryAfterSeconds)
  if (Array.isArray(error.extra.allow)) headers.allow = error.extra.allow.join(', ')
  return new Response(JSON.stringify(problemOf(error, about)), { status: error.status, headers })
}

/**
 * Only an `AppError` reaches a caller. A full disk and a busy database have codes of their own; anything else is an
 * internal error and logged once.
 */
function publicError({ services, info, rates }: Failed, thrown: unknown): AppError {
  const charged = Object.keys(rates).length > 0
  if (thrown instanceof AppError) {
    const [level, event] =
      thrown.status >= 500 ? (['error', 'request failed'] as const) : (['info', 'request refused'] as const)
    // A refusal is logged only if a budget was charged and is not used up, so that nobody can flood the log from
    // outside.
    if (level === 'error' || (charged && thrown.codigo !== 'espera')) {
      services.log(level, event, { request: info.id, code: thrown.codigo })
    }
    return thrown
  }
  const text = rootMessage(thrown)
  services.log('error', 'request failed', { request: info.id, reason: text })
  if (thrown instanceof KeyMissing) return new AppError('clave_ausente', { retryAfterSeconds: 60 })
  if (isOutOfSpace(thrown)) {
    return new AppError('sin_espacio', { recurso: 'disco', usado: null, limite: null })
  }
  if (
    /database is locked|database unavailable|readonly database|disk I\/O error|SQLITE_BUSY|not a database|disk image is malformed|unable to open|fetch failed|ECONNREFUSED|Unable to connect|TIMEOUT/i.test(
      text,
    )
  ) {
    return new AppError('no_disponible', { retryAfterSeconds: 5 })
  }
  return new AppError('error_interno')
}

function missing(handlers: Handler[], request: Request): AppError {
  const { pathname } = new URL(request.url)
  const allow = handlers
    .filter((handler) => pathMatches(fullPath(handler), pathname))
    .map(({ method }) => method)
  return allow.length > 0 ? new AppError('metodo_no_admitido', { allow }) : new AppError('no_encontrado')
}

function requestInfo(options: AppOptions, request: Request, peer: Peer): RequestInfo {
  const { services } = options
  return {
    id: ulid(services.now(), services.random),
    address: clientAddress(peer.address, request.headers.get('x-forwarded-for'), options.trustedProxies),
    agent: (request.headers.get('user-agent') ?? '').slice(0, 200),
    language: preferredLanguage(request.headers.get('accept-language')),
    headers: withoutCodings(request.headers),
  }
}

function refuseForeignOrigin(services: Services, request: Request): void {
  const origin = request.headers.get('origin')
  if (origin !== null && origin !== services.config.origin) {
    const { host } = new URL(request.url)
    // The panel may be reached by its address or another name, so an origin that equals the requested host is its
    // own.
    if (origin !== `https://${host}`) throw new AppError('origen_ajeno')
  }
  if (request.headers.get('sec-fetch-site') === 'cross-site') throw new AppError('origen_ajeno')
}

/** A wrong secret is counted like a wrong bearer, without a query; the right one is never locked out. */
async function requireCronSecret(services: Services, bearer: string | null, address: string): Promise<void> {
  const secret = services.config.cronSecret
  if (!secret) throw new AppError('no_encontrado')
  if (bearer === null) throw new AppError('credencial_invalida')
  if (!sameHash(sha256(bearer), sha256(secret.reveal())))
    await refuseBearer(services, services.limits.local, address)
}
