import type * as v from 'valibot'
import type { Reading } from '../store/reading.ts'
import type { ReadCtx, Services, WriteCtx } from './context.ts'
import type { AppError, DeclaredError } from './errors.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Schema = v.GenericSchema

/** Who may call a handler. There is no default, and an `Access` is made only by the constructors below. */
export type Access =
  | { kind: 'bearer'; token: boolean; admin: boolean; client: boolean }
  | { kind: 'open' }
  | { kind: 'cron' }

/** Bearers that may call it: tokens, signed-in admins, signed-in customers for what is their own. */
export const allow = (...who: ('token' | 'admin' | 'client')[]): Access => ({
  kind: 'bearer',
  token: who.includes('token'),
  admin: who.includes('admin'),
  client: who.includes('client'),
})

/**
 * A person only: the operation creates or moves a credential, or opens a session on something, so a
 * token gets 403 `no_con_token` (specification 5.2) and an impersonated session 403 `prohibido`.
 */
export const person = (...who: ('admin' | 'client')[]): Access => allow(...who)

/** No bearer: `/acceso`, where people sign in. */
export const open = (): Access => ({ kind: 'open' })

/** The scheduler, or a request with the cron secret. */
export const cron = (): Access => ({ kind: 'cron' })

/**
 * The result of a handler. With `error`, the error is answered instead of the body, but everything written is
 * committed.
 */
export type Answer<B = unknown> = {
  status: number
  body: B
  headers: Record<string, string>
  /** `Set-Cookie` values: of all headers these alone may not be joined into one (RFC 9110 section 5.3). */
  cookies?: string[]
  error?: AppError
}

export const ok = <B>(body: B, headers: Record<string, string> = {}): Answer<B> => ({
  status: 200,
  body,
  headers,
})
/** 200 with cookies. */
export const withCookies = <B>(body: B, cookies: string[]): Answer<B> => ({ ...ok(body), cookies })
export const accepted = <B>(body: B): Answer<B> => ({ status: 202, body, headers: {} })
/** 201 with the new resource's address, a path below `/api`. */
export const created = <B>(body: B, location: string): Answer<B> => ({
  status: 201,
  body,
  headers: { location: `/api${location}` },
})
/** Answers an error but commits, for refusals that must be counted. */
export const refused = (error: AppError): Answer<never> => ({
  status: error.status,
  body: undefined as never, // never read: `error` is answered
  headers: {},
  error,
})

/** Thrown by the `run` of a dry run: everything is rolled back and `answer` is returned. */
export class DryRun extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super('dry run')
    this.answer = answer
  }
}

type Input<P extends Schema, Q extends Schema, B extends Schema> = {
  params: v.InferOutput<P>
  query: v.InferOutput<Q>
  body: v.InferOutput<B>
}

export type Definition<
  M extends Method,
  P extends Schema,
  Q extends Schema,
  B extends Schema,
  O extends Schema,
  R,
> = {
  method: M
  /** Path below the prefix of its access kind: `/api`, `/acceso` or `/cron`. */
  path: string
  access: Access
  summary: string
  description?: string
  params?: P
  query?: Q
  /** The JSON body; without a schema the operation takes none. */
  body?: B
  /** The body may be left out as a whole; it then validates as `{}`. */
  bodyOptional?: boolean
  /** The content type of a body or an answer that is not JSON. All but text are streams, passed on as they are. */
  consumes?: 'text/dns' | '*/*'
  produces?:
    | 'text/dns'
    | 'application/octet-stream'
    | 'application/sql+gzip'
    | 'application/gzip'
    | 'image/png'
  output: O
  /** Success statuses, for the OpenAPI document. */
  statuses?: number[]
  /** The codes that it may refuse with, besides those that every operation of its kind may. */
  errors?: DeclaredError[]
  /** The answer holds a secret: it is never stored, so an Idempotency-Key is refused. */
  secret?: boolean
  /** The customer of a suspended client may still call it (docs/api.md, "Work on the node"). */
  whileSuspended?: boolean
  /** Programs call it all day: its successes are not written to the audit trail. */
  routine?: boolean
  /** The answer carries the `ETag` of what is read or changed; with `ifMatch`, a change accepts `If-Match`. */
  etag?: boolean
  ifMatch?: boolean
  /** Reads and sets the renewal cookie. */
  cookie?: boolean
  /** Works on a full disk too, using the reserve; deletions, signing in and the scheduler always do. */
  whenFull?: boolean
  /** Takes at least this long, in milliseconds, if the time of an answer would reveal something. */
  evenMs?: number
  /**
   * Its `prepare` already does what was asked for, so an `Idempotency-Key` is looked up together with `prepare`'s
   * first query.
   */
  acts?: boolean
  /** Asks the outside world, or computes what takes long, before the transaction begins. */
  prepare?(services: Services, input: Input<P, Q, B>, ctx: ReadCtx): Promise<R>
  /** If the answer's body is a `Reading`, it is read in the commit's own round trip, after everything else. */
  run(
    ctx: M extends 'GET' ? ReadCtx : WriteCtx,
    input: Input<P, Q, B>,
    prepared: R,
  ): Promise<Answer<v.InferInput<O> | Reading<v.InferInput<O>>>>
  /**
   * What `Accept: text/event-stream` is answered with instead. It outlives the request's budget of time, so it has to
   * ask itself whether its caller may still read on.
   */
  follow?(ctx: ReadCtx, input: Input<P, Q, B>): Promise<ReadableStream<Uint8Array>>
  /**
   * Makes the final answer once the queued jobs have ended or five seconds are over. It reads in the transaction that
   * ended the jobs, or outside of any.
   */
  settled?(
    ctx: ReadCtx,
    input: Input<P, Q, B>,
    answer: Answer<v.InferInput<O>>,
  ): Promise<Answer<v.InferInput<O>>>
}

/** Whether the body is a stream. It can be read only once, so such a request cannot be compared with a repeated one. */
export const takesStream = (handler: Pick<Handler, 'consumes'>): boolean => handler.consumes === '*/*'

/** Whether the answer is streamed. */
export const givesStream = ({ produces }: Pick<Handler, 'produces'>): boolean =>
  produces !== undefined && produces !== 'text/dns'

/** Whether this request is answered with events. */
export const isFollowed = ({ follow }: Pick<Handler, 'follow'>, headers: Headers): boolean =>
  follow !== undefined && /(?:^|,)\s*text\/event-stream\s*(?:;|,|$)/i.test(headers.get('accept') ?? '')

/** A handler with its type parameters erased, as the router, the OpenAPI document and the tests see it. */
export type Handler = Omit<
  Definition<Method, Schema, Schema, Schema, Schema, unknown>,
  'prepare' | 'run' | 'settled' | 'follow'
> & {
  follow?(ctx: unknown, input: unknown): Promise<ReadableStream<Uint8Array>>
  prepare?(services: Services, input: unknown, ctx: unknown): Promise<unknown>
  run(ctx: unknown, input: unknown, prepared: unknown): Promise<Answer>
  settled?(ctx: unknown, input: unknown, answer: Answer): Promise<Answer>
}

/** Declares one endpoint. Authorise, then validate, then run: see `lib/endpoint/invoke.ts`. */
export function handler<
  M extends Method,
  P extends Schema,
  Q extends Schema,
  B extends Schema,
  O extends Schema,
  R,
>(definition: Definition<M, P, Q, B, O, R>): Definition<M, P, Q, B, O, R> & Handler {
  // The erased form is only ever called with values that this definition's own schemas have parsed.
  return definition as Definition<M, P, Q, B, O, R> & Handler
}
