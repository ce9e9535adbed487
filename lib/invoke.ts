import * as v from 'valibot'
import { recordAudit } from './audit.ts'
import { authorise } from './authorise.ts'
import { parseJson, requireMediaType } from './body.ts'
import type { Actor, Ctx, RequestInfo, Services } from './context.ts'
import type { Tx } from './database.ts'
import { AppError } from './errors.ts'
import { empty } from './fields.ts'
import { type Answer, DryRun, type Handler } from './handler.ts'
import { type IdempotentRequest, idempotentRequest, keep, replay } from './idempotency.ts'
import { project } from './project.ts'
import { validate } from './validate.ts'

/** Time for which an answer waits for the work that its change queued (contract section 5). */
export const SETTLE_MS = 5000

export type RawRequest = {
  info: RequestInfo
  /** Path and query as received, the identity of a repeated request. */
  route: string
  params: Record<string, string>
  query: Record<string, string>
  /** Reads the body, at most `MAX_BODY_BYTES`; called only after authorisation. */
  body(): Promise<Uint8Array>
}

/**
 * One request through one handler: authorise, read and validate, run in one transaction, wait for the
 * work, answer what the output schema lets through. The same on every host.
 */
export async function invoke(
  handler: Handler,
  services: Services,
  actor: Actor,
  raw: RawRequest,
): Promise<Answer> {
  const ctx: Ctx = {
    ...services,
    actor,
    request: raw.info,
    tx: services.db.read,
    queued: new Set(),
    audit: {},
  }
  let answer: Answer
  try {
    authorise(handler, actor)
    const bytes = handler.method === 'GET' ? new Uint8Array() : await raw.body()
    const input = inputOf(handler, raw, bytes)
    const client = clientIn(input)
    if (client) ctx.audit.client = client
    answer = await answerOf(handler, services, ctx, raw, bytes, input)
  } catch (error) {
    if (error instanceof DryRun) return { ...error.answer, body: checked(handler, services, error.answer) }
    if (handler.method !== 'GET' && actor.kind !== 'cron') await auditRefusal(handler, services, ctx, error)
    throw error
  }
  if (answer.error) throw answer.error
  return { ...answer, body: checked(handler, services, answer) }
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
  const repeated = repeatOf(handler, ctx.actor, raw, bytes)
  const prepared = handler.prepare ? await handler.prepare(services, input, ctx) : undefined
  if (handler.method === 'GET') return handler.run(ctx, input, prepared)
  const first = await services.db.write((tx) => change(handler, { ...ctx, tx }, input, prepared, repeated))
  if (first.headers['idempotency-replayed']) return first
  if (ctx.queued.size > 0) services.work.wake()
  if (first.error || !handler.settled) return first
  if (ctx.queued.size > 0 && services.config.node) await services.work.settle([...ctx.queued], SETTLE_MS)
  const last = await handler.settled(ctx, input, first)
  if (repeated) await services.db.write(async (tx) => keep(tx, repeated, last, services.now()))
  return last
}

async function change(
  handler: Handler,
  ctx: Ctx<Tx>,
  input: Inputs,
  prepared: unknown,
  repeated: IdempotentRequest | null,
): Promise<Answer> {
  const known = repeated && (await replay(ctx.tx, repeated, ctx.now()))
  if (known) return known
  const answer = await handler.run(ctx, input, prepared)
  if (repeated && !answer.error) keep(ctx.tx, repeated, answer, ctx.now())
  if (handler.access.kind !== 'cron') {
    const outcome = answer.error?.codigo ?? 'hecho'
    recordAudit(ctx.tx, ctx, auditEntry(handler, ctx, outcome))
  }
  return answer
}

function repeatOf(handler: Handler, actor: Actor, raw: RawRequest, bytes: Uint8Array) {
  if (handler.method === 'GET') return null
  const header = raw.info.headers.get('idempotency-key')
  if (handler.secret && header !== null) throw new AppError('clave_no_admitida')
  return idempotentRequest(header, actor, `${handler.method} ${raw.route}`, bytes)
}

/**
 * What of an answer may go out. A union is validated as a whole, anything else projected; under test every
 * answer is validated, and one outside its schema is a fault of ours that leaves nothing of it readable.
 */
function checked(handler: Handler, services: Services, answer: Answer): unknown {
  if (handler.produces) return answer.body
  const { output } = handler
  const whole = services.config.test || output.type === 'union' || output.type === 'variant'
  if (!whole) return project(output, answer.body)
  const result = v.safeParse(output, answer.body)
  if (result.success) return result.output
  const path = result.issues[0]?.path?.map((item) => String(item.key)).join('.')
  throw new Error(`${operationOf(handler)} answered outside its schema at ${path ?? 'the root'}`)
}

/** A refused change is told in the audit trail too; its transaction is gone, so the row gets its own. */
async function auditRefusal(handler: Handler, services: Services, ctx: Ctx, error: unknown): Promise<void> {
  if (ctx.actor.kind === 'anonymous') return
  const outcome = error instanceof AppError ? error.codigo : 'error_interno'
  const entry = auditEntry(handler, ctx, outcome)
  await services.db.write(async (tx) => recordAudit(tx, services, entry)).catch(() => {})
}

function auditEntry(handler: Handler, ctx: Ctx, outcome: string) {
  return {
    actor: ctx.actor,
    operation: operationOf(handler),
    outcome,
    requestId: ctx.request.id,
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
