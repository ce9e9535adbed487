import {
  and,
  asc,
  desc,
  eq,
  exists,
  inArray,
  like,
  lt,
  not,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { jobs } from '../../schema/tables.ts'
import type { Services, WriteCtx } from '../endpoint/context.ts'
import type { Database, Db, Tx } from '../store/database.ts'
import { ulid } from '../store/ids.ts'
import type { Query } from '../store/reading.ts'
import { DEADLY } from '../text/stored-faults.ts'
import { type BackOff, later, longestMs, nextTry } from './back-off.ts'
import { isDue, isFree, turnAt } from './clock.ts'

export type Job = typeof jobs.$inferSelect

export type NewJob = {
  /** An id given by the caller, for work that must not be merged with a waiting job. */
  id?: string
  kind: string
  /** The node that must run it; null if any worker may. */
  node: string | null
  /** Jobs of one subject run one after another; a failed one waits behind later ones. */
  subject: string
  target?: string
  client?: string
  payload?: Record<string, unknown>
  /** Whether it can be cancelled, as its kind is `cancellable`. */
  cancellable?: true
  /** When it is due, if not at once. Queued again without this, it is due then. */
  notBefore?: Date
}

/** After this long without a sign of its worker, a claimed job may be taken over by another worker. */
export const LEASE_MS = 30_000
/** The waits after failures; the last one repeats until `MAX_ATTEMPTS`. */
const BACK_OFF: BackOff = { waitsMs: [5_000, 30_000, 120_000, 300_000, 900_000, 3_600_000], spread: 0 }
export const MAX_ATTEMPTS = 30
/** A job that was started this often and has neither ended nor failed may be what kills its workers. */
const SUSPECT_ATTEMPTS = 3

/**
 * Queues a job in the transaction of the change that needs it. A pending job of the same kind, subject and target is
 * not queued twice: a job applies the database's state at the time when it runs, so one is enough.
 */
export function enqueue(tx: Tx, services: Pick<Services, 'now' | 'random'>, job: NewJob): void {
  tx.later(insertJob(tx, services, job))
}

/** Queues a job that this request's answer waits for. */
export function enqueueAndWait(ctx: WriteCtx, job: NewJob): void {
  ctx.tx.later(queueJob(ctx, job))
}

/** A job as a statement for `tx.later(…)`. */
export function queueJob(ctx: WriteCtx, job: NewJob): Query {
  ctx.queued.add(job.subject)
  return insertJob(ctx.tx, ctx, job)
}

function insertJob(tx: Tx, services: Pick<Services, 'now' | 'random'>, job: NewJob): Query {
  const now = services.now()
  return tx
    .insert(jobs)
    .values({
      id: job.id ?? `job_${ulid(now, services.random)}`,
      kind: job.kind,
      node: job.node,
      subject: job.subject,
      target: job.target ?? '',
      clientName: job.client ?? null,
      payload: job.payload ?? {},
      cancellable: job.cancellable ?? false,
      state: 'pendiente',
      nextAt: job.notBefore ?? now,
      createdAt: now,
    })
    .onConflictDoUpdate({
      target: [jobs.kind, jobs.subject, jobs.target],
      targetWhere: sql`state = 'pendiente'`,
      set: { nextAt: sql`min(next_at, ${(job.notBefore ?? now).getTime()})`, payload: job.payload ?? {} },
    })
}

/** Jobs that a worker may take now: they are due, or their worker has been silent for too long. */
export const isClaimable = (now: Date) =>
  or(isReady(now), and(eq(jobs.state, 'en_curso'), isFree(jobs.leaseUntil, now, LEASE_MS)))

/** Due jobs that no worker has. */
export const isReady = (now: Date) =>
  and(eq(jobs.state, 'pendiente'), isDue(jobs.nextAt, now, longestMs(BACK_OFF)))

/** What a process can take now. Clients in `full` have no room for another job of the given kinds. */
export type Room = {
  /** The node that it works for; null if it works for none. */
  node: string | null
  kinds: string[]
  /**
   * Subjects that it is working on: their lease may have ended (a slow authority, a clock set forward) while they
   * still run.
   */
  busy?: string[]
  full?: { kinds: string[]; clients: string[] }
  leaseMs?: number
}

/** Takes the next due job of this node (or of any) whose subject has no running job; null if there is none. */
export async function claim(db: Database, room: Room, now: Date): Promise<Job | null> {
  const { node, kinds, busy = [], full = { kinds: [], clients: [] }, leaseMs = LEASE_MS } = room
  const mine = node === null ? sql`${jobs.node} is null` : or(eq(jobs.node, node), sql`${jobs.node} is null`)
  const next = db.read
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        isClaimable(now),
        mine,
        inArray(jobs.kind, kinds),
        notInArray(jobs.subject, busy),
        or(
          notInArray(jobs.kind, full.kinds),
          notInArray(sql`coalesce(${jobs.clientName}, '')`, full.clients),
        ),
        not(exists(othersOfSubject(db, now))),
      ),
    )
    .orderBy(asc(turnAt(jobs.nextAt, now, longestMs(BACK_OFF))), asc(jobs.id))
    .limit(1)
  // Reads first: an idle worker must not take the write lock every second.
  if (!(await next.get())) return null
  const rows = await db.write((tx) =>
    tx
      .update(jobs)
      .set({
        state: 'en_curso',
        leaseUntil: later(now, leaseMs),
        fence: sql`fence + 1`,
        attempts: sql`attempts + 1`,
      })
      .where(sql`id = (${next})`)
      .returning(),
  )
  return rows[0] ?? null
}

/** Whether a claimed job has used up its attempts: each attempt whose end was not recorded ended with its worker. */
export const isSpent = (job: Job): boolean => job.attempts > MAX_ATTEMPTS

const isDeadly = and(eq(jobs.state, 'fallida'), like(jobs.error, `%"${DEADLY}"%`))

/**
 * Jobs that a start need not queue again: they are being resumed anyway, or ended the panel each time. Queued anew at
 * each start, such a job would count its attempts from the beginning.
 */
export const isTakenUp = (kind: string) => and(eq(jobs.kind, kind), or(eq(jobs.state, 'en_curso'), isDeadly))

const refusal = sql`json_extract(${jobs.result}, '$.codigo')`
/** What restores a lost node's clients was asked for by nobody; that of one who is suspended waits for its activation. */
const isLost = sql`coalesce(json_extract(${jobs.payload}, '$.bare'), 0) and ${refusal} <> 'cliente_suspendido'`

/** Jobs that have failed and that somebody has to look after: a refusal was answered to whoever asked for the work. */
export const needsOperator = and(eq(jobs.state, 'fallida'), or(sql`${refusal} is null`, isLost))

const isRefused = sql`(${jobs.state} = 'fallida' and ${refusal} is not null)`
/** Jobs that are over and that nobody has to look after. */
export const isSettled = or(
  inArray(jobs.state, ['hecha', 'cancelada']),
  sql`(${isRefused} and not (${isLost}))`,
)
/** A refused job of which nothing is kept that it could be repeated from. */
export const isForgotten = sql`(${isRefused} and ${jobs.payload} = '{}')`

/** The jobs of a node that ended its worker at each attempt, the latest first. */
export function deadlyJobs(db: Db, node: string) {
  return db
    .select({ id: jobs.id, kind: jobs.kind, client: jobs.clientName })
    .from(jobs)
    .where(and(eq(jobs.node, node), isDeadly))
    .orderBy(desc(jobs.id))
}

/** The jobs that run now under the same subject. */
function othersOfSubject(db: Database, now: Date) {
  const other = alias(jobs, 'other')
  return db.read
    .select({ one: sql`1` })
    .from(other)
    .where(
      and(
        eq(other.subject, jobs.subject),
        eq(other.state, 'en_curso'),
        not(isFree(other.leaseUntil, now, LEASE_MS)),
      ),
    )
}

/**
 * Ends the claims of workers that are known to be dead, so that their jobs resume at once instead of at the end of
 * the lease. A job that may have killed its workers resumes only when its lease ends, and other jobs are done
 * meanwhile. Call it only if no other process works for this node; with `alone` only if no other process works at
 * all, since the claims on jobs of no particular node are then ended too.
 */
export async function releaseClaims(db: Database, node: string, now: Date, alone: boolean): Promise<void> {
  await db.write(async (tx) => {
    const mine = alone ? or(eq(jobs.node, node), sql`${jobs.node} is null`) : eq(jobs.node, node)
    tx.later(
      tx
        .update(jobs)
        .set({ leaseUntil: now })
        .where(and(eq(jobs.state, 'en_curso'), lt(jobs.attempts, SUSPECT_ATTEMPTS), mine)),
    )
  })
}

/** Prolongs a claim and records the current step, unless another worker has taken the job over. */
export async function renew(
  db: Database,
  job: Job,
  { step, now, leaseMs }: { step: string; now: Date; leaseMs: number },
): Promise<void> {
  await db.write(async (tx) => {
    tx.later(
      tx
        .update(jobs)
        .set({ leaseUntil: later(now, leaseMs), step })
        .where(and(eq(jobs.id, job.id), eq(jobs.fence, job.fence), eq(jobs.state, 'en_curso'))),
    )
  })
}

/** Whether this claim still holds: a worker whose job was taken over must change nothing more. */
export async function holds(tx: Tx, job: Job): Promise<boolean> {
  const row = await tx
    .select({ fence: jobs.fence, state: jobs.state })
    .from(jobs)
    .where(eq(jobs.id, job.id))
    .get()
  return row?.fence === job.fence && row.state === 'en_curso'
}

/** Marks the job done, in the same transaction as the changes of its success. */
export function finish(tx: Tx, job: Job, now: Date, result: Record<string, unknown> | null = null): void {
  end(tx, job, { state: 'hecha', finishedAt: now, error: null, step: null, result, progress: WHOLE })
}

/** What was reached last is told before the last part is done. */
const WHOLE = sql`json_set(${jobs.progress}, '$.done', coalesce(json_extract(${jobs.progress}, '$.total'), json_extract(${jobs.progress}, '$.done')))`

/** Queues a job that has done its part for whoever does the next; its attempts count from the beginning. */
export function passOn(tx: Tx, job: Job, next: Pick<Job, 'node' | 'subject' | 'nextAt'>): void {
  end(tx, job, { ...next, state: 'pendiente', attempts: 0, error: null, step: null })
}

/** As `finish`, for a cancelled job. */
export const giveUp = (tx: Tx, job: Job, now: Date) => end(tx, job, { state: 'cancelada', finishedAt: now })

function end(tx: Tx, job: Job, set: Partial<Omit<Job, 'progress'>> & { progress?: SQL }): void {
  tx.later(
    tx
      .update(jobs)
      .set({ ...set, leaseUntil: null })
      .where(and(eq(jobs.id, job.id), eq(jobs.fence, job.fence))),
  )
}

/** Empties what a job was asked for, unless it can be tried again; for the transaction that ends it. */
export function forget(tx: Tx, job: Job): void {
  tx.later(
    tx
      .update(jobs)
      .set({ payload: {} })
      .where(and(eq(jobs.id, job.id), isSettled)),
  )
}

type Failure = {
  error: string
  step: string
  now: Date
  tries?: number | undefined
  /** What is answered to whoever asked for it; the job is not tried again. */
  refusal: Record<string, unknown> | null
}

/**
 * Puts a failed job back with a growing delay, or ends it as failed. If a newer pending job is the same, that one
 * replaces it. `error` is a stored fault, `step` where it happened. Answers whether it is
 * not tried again.
 */
export async function fail(
  tx: Tx,
  job: Job,
  { error, step, now, tries, refusal }: Failure,
): Promise<boolean> {
  const newer = await tx
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        eq(jobs.kind, job.kind),
        eq(jobs.subject, job.subject),
        eq(jobs.target, job.target),
        eq(jobs.state, 'pendiente'),
      ),
    )
    .get()
  const state =
    newer && !isSpent(job)
      ? ('hecha' as const)
      : refusal !== null || job.attempts >= (tries ?? MAX_ATTEMPTS)
        ? ('fallida' as const)
        : ('pendiente' as const)
  tx.later(
    tx
      .update(jobs)
      .set({
        state,
        error,
        step,
        result: refusal,
        attempts: Math.min(job.attempts, MAX_ATTEMPTS),
        leaseUntil: null,
        nextAt: nextTry(now, BACK_OFF, job.attempts),
        finishedAt: state === 'pendiente' ? null : now,
      })
      .where(and(eq(jobs.id, job.id), eq(jobs.fence, job.fence))),
  )
  return state === 'fallida'
}
