import type * as v from 'valibot'
import type { Reading } from '../store/reading.ts'
import type { ReadCtx, Services, WriteCtx } from './context.ts'
import type { AppError, DeclaredError } from './errors.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Schema = v.GenericSchema

/** Who may call a handler. There is no default, and only these constructors make one. */
export type Access =
  | { kind: 'bearer'; token: boolean; admin: boolean; client: boolean }
  | { kind: 'open' }
  | { kind: 'cron' }

/** Bearers that may: a token, a signed-in admin, a signed-in client for its own things. */
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

/** What a handler answers with; `error` is answered instead of a body, but what was written is kept. */
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
/** 201 with the new resource's address, a path under `/api`. */
export const created = <B>(body: B, location: string): Answer<B> => ({
  status: 201,
  body,
  headers: { location: `/api${location}` },
})
/** Answers an error and still commits, for refusals that must be counted. */
export const refused = (error: AppError): Answer<never> => ({
  status: error.status,
  body: undefined as never, // never read: `error` is answered
  headers: {},
  error,
})

/** Thrown by the `run` of a dry run: everything is rolled back, and `answer` is given. */
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
  /** The JSON body; left out, the operation takes none. */
  body?: B
  /** The body may be left out as a whole; it then validates as `{}`. */
  bodyOptional?: boolean
  /** Content types of a body or an answer that is not JSON; all but text are streams, handed on as they come. */
  consumes?: 'text/dns' | '*/*'
  produces?: 'text/dns' | 'application/octet-stream' | 'application/sql+gzip'
  output: O
  /** Success statuses, for the OpenAPI document. */
  statuses?: number[]
  /** The codes that it may refuse with, beside those that every operation of its kind has. */
  errors?: DeclaredError[]
  /** The answer holds a secret: it is never stored, so an Idempotency-Key is refused. */
  secret?: boolean
  /** A suspended client's customer may still call it (contract section 4.8). */
  whileSuspended?: boolean
  /** Programs repeat it all day: its successes are not written to the audit trail. */
  routine?: boolean
  /** The answer carries the `ETag` of what is read or changed; `ifMatch`: a change may ask for it. */
  etag?: boolean
  ifMatch?: boolean
  /** Works with the renewal cookie. */
  cookie?: boolean
  /** Works on a full disk too, out of the reserve; deletions, signing in and the scheduler always do. */
  whenFull?: boolean
  /** Answers no sooner than this, in milliseconds, where the time taken would give something away. */
  evenMs?: number
  /** `prepare` does what is asked for: a repeated key is looked up beside its first question. */
  acts?: boolean
  /** What must be asked of the world or computed at length before the transaction begins. */
  prepare?(services: Services, input: Input<P, Q, B>, ctx: ReadCtx): Promise<R>
  /** A body that is a reading is read in the commit's own round trip, after everything else. */
  run(
    ctx: M extends 'GET' ? ReadCtx : WriteCtx,
    input: Input<P, Q, B>,
    prepared: R,
  ): Promise<Answer<v.InferInput<O> | Reading<v.InferInput<O>>>>
  /**
   * The answer once the queued work has settled or five seconds are over; reads in the transaction that ended the
   * work, or in none.
   */
  settled?(
    ctx: ReadCtx,
    input: Input<P, Q, B>,
    answer: Answer<v.InferInput<O>>,
  ): Promise<Answer<v.InferInput<O>>>
}

/** Its body is a stream that is read once: such a request cannot be told from another, or answered again. */
export const takesStream = (handler: Pick<Handler, 'consumes'>): boolean => handler.consumes === '*/*'

/** Whether its answer is handed on as it comes. */
export const givesStream = ({ produces }: Pick<Handler, 'produces'>): boolean =>
  produces !== undefined && produces !== 'text/dns'

/** A handler with its types forgotten, as the router, the OpenAPI document and the tests see it. */
export type Handler = Omit<
  Definition<Method, Schema, Schema, Schema, Schema, unknown>,
  'prepare' | 'run' | 'settled'
> & {
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
  // The erased form is only ever called with what this definition's own schemas have parsed.
  return definition as Definition<M, P, Q, B, O, R> & Handler
}
