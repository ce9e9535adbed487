import * as v from 'valibot'
import { hasRoom, recordAudit } from '../audit/audit.ts'
import type { Db, Tx } from '../store/database.ts'
import { type Late, Reading, readNow } from '../store/reading.ts'
import { rootMessage } from '../text/root-message.ts'
import { authorise, requireStanding } from './access.ts'
import { parseJson, requireMediaType } from './body.ts'
import type { Actor, Ctx, RequestInfo, Services } from './context.ts'
import { withinDeadline } from './deadline.ts'
import { AppError, noSpace } from './errors.ts'
import { empty } from './fields.ts'
import { type Answer, DryRun, type Handler, isFollowed, ok, takesStream } from './handler.ts'
import { type IdempotentRequest, idempotentRequest, keep, replay } from './idempotency.ts'
import { project } from './output.ts'
import { validate } from './validate.ts'

/** How long an answer waits for the jobs that its change queued (docs/api.md, "Work on the node"). */
const SETTLE_MS = 5000
/** After this long a request is answered with what was committed, whatever the state of its jobs. */
const SETTLED_BY_MS = 6000

export type RawRequest = {
  info: RequestInfo
  /** Path and query as received; they identify a repeated request. */
  route: string
  params: Record<string, string>
  query: Record<string, string>
  /** Reads the body, at most `MAX_BODY_BYTES`; called only after authorisation. */
  body(): Promise<Uint8Array>
  /** The unread body as a stream of any length. */
  stream(): ReadableStream<Uint8Array>
}

/**
 * Takes one request through one handler: authorise, read and validate, run in one transaction, wait for the jobs,
 * answer only what the output schema names. The same on every host.
 */
export async function invoke(
  handler: Handler,
  services: Services,
  actor: Actor,
  raw: RawRequest,
): Promise<Answer> {
  const ctx: Ctx = {
    ...services,
    // The jobs are invisible to the worker until the transaction has committed, so it is woken afterwards.
    work: {
      ...services.work,
      wake() {
        ctx.wakeAfter = true
      },
    },
    wakeAfter: false,
    actor,
    request: raw.info,
    tx: services.db.read,
    queued: new Set(),
    audit: {},
  }
  let answer: Answer
  try {
    authorise(handler, actor)
    requireDisk(handler, ctx)
    const unread = handler.method === 'GET' || takesStream(handler)
    const bytes = unread ? new Uint8Array() : await raw.body()
    const input = inputOf(handler, raw, bytes)
    const client = clientIn(input)
    if (client) ctx.audit.client = client
    answer = await evenly(handler.evenMs, () => answerOf(handler, services, ctx, raw, bytes, input))
  } catch (error) {
    if (error instanceof DryRun) return { ...error.answer, body: checked(handler, services, error.answer) }
    if (error instanceof Replayed) return { ...error.answer, body: checked(handler, services, error.answer) }
    // If the database itself fails, the audit row would fail too.
    if (!ctx.audit.told && error instanceof AppError) await auditRefusal(handler, services, ctx, error)
    throw error
  }
  if (answer.error) throw answer.error
  return { ...answer, body: checked(handler, services, answer) }
}

/** Refuses on a full disk: the reserve is for signing in, suspending, deleting and the panel's own bookkeeping. */
function requireDisk(handler: Handler, ctx: Ctx): void {
  const { method, access, whenFull } = handler
  if (method === 'GET' || method === 'DELETE' || whenFull || access.kind !== 'bearer') return
  const recurso = ctx.driver?.exhausted() ?? null
  if (recurso === null) return
  // An audit row for each refusal would use up the reserve.
  ctx.audit.told = true
  throw noSpace(recurso)
}

/** The outcome of `run`, even a refusal, but not before `ms` have passed. */
async function evenly<T>(ms: number | undefined, run: () => Promise<T>): Promise<T> {
  if (ms === undefined) return run()
  const over = new Promise((resolve) => setTimeout(resolve, ms))
  return run().finally(() => over)
}

type Inputs = { params: unknown; query: unknown; body: unknown }

function inputOf(handler: Handler, raw: RawRequest, bytes: Uint8Array): Inputs {
  const { language } = raw.info
  return {
    params: handler.params ? validate(handler.params, raw.params, language) : {},
    query: validate(handler.query ?? empty, raw.query, language),
    body:
      handler.method === 'GET' ? {} : validate(handler.body ?? empty, bodyOf(handler, raw, bytes), language),
  }
}

function bodyOf(handler: Handler, raw: RawRequest, bytes: Uint8Array): unknown {
  if (takesStream(handler)) return raw.stream()
  const type = raw.info.headers.get('content-type')
  if (handler.consumes) {
    requireMediaType(type, handler.consumes)
    return bytes
  }
  if (bytes.length === 0 && (!handler.body || handler.bodyOptional)) return {}
  requireMediaType(type, 'application/json')
  return parseJson(bytes)
}

async function answerOf(
  handler: Handler,
  services: Services,
  ctx: Ctx,
  raw: RawRequest,
  bytes: Uint8Array,
  input: Inputs,
): Promise<Answer> {
  const beganMs = performance.now()
  const repeated = repeatOf(handler, ctx, raw, bytes)
  if (repeated && handler.acts) ctx.unrepeated = requireFirst(ctx, repeated)
  if (handler.follow && isFollowed(handler, raw.info.headers))
    return ok(await handler.follow(ctx, input), { 'content-type': 'text/event-stream' })
  const prepared = handler.prepare ? await handler.prepare(services, input, ctx) : undefined
  if (handler.method === 'GET') {
    const answer = await handler.run(ctx, input, prepared)
    return answer.body instanceof Reading ? { ...answer, body: await readNow(ctx.tx, answer.body) } : answer
  }
  const first = await written(handler, services, ctx, (tx) =>
    change(handler, { ...ctx, tx }, input, prepared, repeated),
  )
  if (ctx.queued.size > 0 || ctx.wakeAfter) services.work.wake()
  // Without jobs or a node there is nothing to wait for: the first answer is final.
  if (first.error || !handler.settled || ctx.queued.size === 0 || services.config.node === null) return first
  const leftMs = beganMs + SETTLED_BY_MS - performance.now()
  return withinDeadline(settledAnswer(handler, services, ctx, input, first, repeated), leftMs, () => first)
}

/**
 * The answer after the jobs ended, read in their last transaction or else now. If the database fails, the first
 * answer is returned, which is true as well.
 */
async function settledAnswer(
  handler: Handler,
  services: Services,
  ctx: Ctx,
  input: Inputs,
  first: Answer,
  repeated: IdempotentRequest | null,
): Promise<Answer> {
  const outcome = async (db: Db) => (await handler.settled?.({ ...ctx, tx: db }, input, first)) ?? first
  // An error here concerns only the answer: the jobs are done.
  const look = async (tx: Tx): Promise<{ answer: Answer } | { error: unknown }> => {
    try {
      const answer = await outcome(tx)
      if (repeated) keep(tx, repeated, answer, services.now())
      return { answer }
    } catch (error) {
      return { error }
    }
  }
  try {
    const seen = await services.work.settle([...ctx.queued], SETTLE_MS, look)
    if (seen) {
      const { found } = seen
      if ('error' in found) throw found.error
      return found.answer
    }
    const last = await outcome(ctx.tx)
    if (repeated) await services.db.write(async (tx) => keep(tx, repeated, last, services.now()))
    return last
  } catch (error) {
    if (error instanceof AppError) throw error
    services.log('warn', 'outcome not read', { request: ctx.request.id, reason: rootMessage(error) })
    return first
  }
}

/** The first answer to a repeated key; thrown, so that whatever ran in the same round trip is undone. */
class Replayed extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super('answered before')
    this.answer = answer
  }
}

/** Throws the first answer to a repeated key; asked together with the first query of `prepare`. */
async function requireFirst(ctx: Ctx, repeated: IdempotentRequest): Promise<void> {
  const known = await replay(ctx.tx, repeated, ctx.now())
  if (known) throw new Replayed(known)
}

/** The request's one write transaction. The audit row of a refusal is written in the round trip that rolls back. */
async function written(
  handler: Handler,
  services: Services,
  ctx: Ctx,
  run: (tx: Tx) => Promise<Answer | LateAnswer>,
): Promise<Answer> {
  const answer = await services.db.write(run, (tx, error) => {
    const entry = refusalOf(handler, ctx, error)
    if (!entry) return
    recordAudit(tx, services, entry)
    ctx.audit.told = true
  })
  return 'late' in answer ? { ...answer, body: answer.late.take() } : answer
}

/** An answer whose body is read with the commit. */
type LateAnswer = Answer & { late: Late<unknown> }

async function change(
  handler: Handler,
  ctx: Ctx<Tx>,
  input: Inputs,
  prepared: unknown,
  repeated: IdempotentRequest | null,
): Promise<Answer | LateAnswer> {
  const run = () => handler.run(ctx, input, prepared)
  // An operation that `prepare` has already done is answered even if its caller was revoked meanwhile.
  const answer = handler.acts ? await run() : await ifStanding(ctx, { handler, repeated }, run)
  if (handler.access.kind !== 'cron' && (answer.error || !handler.routine)) {
    const entry = auditEntry(handler, ctx, answer.error?.codigo ?? ctx.audit.outcome ?? 'hecho')
    if (hasRoom(ctx, entry)) recordAudit(ctx.tx, ctx, entry)
  }
  if (!(answer.body instanceof Reading)) {
    if (repeated && !answer.error) keep(ctx.tx, repeated, answer, ctx.now())
    return answer
  }
  if (!repeated) return { ...answer, late: ctx.tx.last(answer.body) }
  const whole = { ...answer, body: await readNow(ctx.tx, answer.body) }
  keep(ctx.tx, repeated, whole, ctx.now())
  return whole
}

/** Runs together with the checks of the caller and of a repeated key, so that these cost no round trip of their own. */
async function ifStanding(
  ctx: Ctx<Tx>,
  { handler, repeated }: { handler: Handler; repeated: IdempotentRequest | null },
  run: () => Promise<Answer>,
): Promise<Answer> {
  const [standing, known, done] = await Promise.allSettled([
    requireStanding(ctx.tx, handler, ctx.actor),
    repeated && replay(ctx.tx, repeated, ctx.now()),
    run(),
  ])
  if (standing.status === 'rejected') throw standing.reason
  if (known.status === 'rejected') throw known.reason
  if (known.value) throw new Replayed(known.value)
  if (done.status === 'rejected') throw done.reason
  return done.value
}

function repeatOf(handler: Handler, { actor, keys }: Ctx, raw: RawRequest, bytes: Uint8Array) {
  if (handler.method === 'GET') return null
  const header = raw.info.headers.get('idempotency-key')
  if ((handler.secret || takesStream(handler)) && header !== null) throw new AppError('clave_no_admitida')
  return idempotentRequest(header, keys, actor, `${handler.method} ${raw.route}`, bytes)
}

/**
 * The part of an answer that may be sent. A union is validated as a whole, anything else is projected. In tests every
 * answer is validated, and one that does not match its schema is a fault of ours, of which nothing is sent.
 */
function checked(handler: Handler, services: Services, answer: Answer): unknown {
  if (handler.produces || answer.body instanceof ReadableStream) return answer.body
  const { output } = handler
  const whole = services.config.test || output.type === 'union' || output.type === 'variant'
  if (!whole) return project(output, answer.body)
  const result = v.safeParse(output, answer.body)
  if (result.success) return result.output
  const path = result.issues[0]?.path?.map((item) => String(item.key)).join('.')
  throw new Error(`${operationOf(handler)} answered outside its schema at ${path ?? 'the root'}`)
}

/** Writes the audit row of a change that was refused before its transaction. */
async function auditRefusal(handler: Handler, services: Services, ctx: Ctx, error: unknown): Promise<void> {
  const entry = refusalOf(handler, ctx, error)
  if (entry) await services.db.write(async (tx) => recordAudit(tx, services, entry)).catch(() => {})
}

function refusalOf(handler: Handler, ctx: Ctx, error: unknown) {
  if (handler.method === 'GET' || error instanceof DryRun || error instanceof Replayed) return null
  if (ctx.actor.kind === 'cron' || ctx.actor.kind === 'anonymous') return null
  return auditEntry(handler, ctx, error instanceof AppError ? error.codigo : 'error_interno')
}

function auditEntry(handler: Handler, ctx: Ctx, outcome: string) {
  return {
    actor: ctx.actor,
    operation: operationOf(handler),
    outcome,
    requestId: ctx.request.id,
    address: ctx.request.address,
    note: ctx.audit,
  }
}

/** How an operation is named in the audit trail and the OpenAPI document: `POST /clientes/<cliente>/plan`. */
export function operationOf(handler: Pick<Handler, 'method' | 'path'>): string {
  return `${handler.method} ${handler.path.replace(/:(\w+)/g, '<$1>')}`
}

function clientIn({ params, body }: Inputs): string | null {
  for (const part of [params, body]) {
    if (typeof part !== 'object' || part === null || !('cliente' in part)) continue
    if (typeof part.cliente === 'string') return part.cliente
  }
  return null
}
