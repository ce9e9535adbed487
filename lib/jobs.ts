import { and, asc, eq, exists, inArray, not, notInArray, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { jobs } from '../schema/tables.ts'
import type { Services, WriteCtx } from './context.ts'
import type { Database, Tx } from './database.ts'
import { hasCome } from './due.ts'
import { ulid } from './ids.ts'

export type Job = typeof jobs.$inferSelect

export type NewJob = {
  kind: string
  /** The node that must do it; null where any worker may. */
  node: string | null
  /** Jobs of one subject run one after another, in order. */
  subject: string
  target?: string
  client?: string
  payload?: Record<string, unknown>
  /** Earliest time, when not now. */
  at?: Date
}

/** How long the worker that claimed a job may be silent before another one takes it over. */
export const LEASE_MS = 30_000
/** Delays before the next try; the last one repeats until `MAX_ATTEMPTS`. */
const BACKOFF_SECONDS = [5, 30, 120, 300, 900, 3600]
export const MAX_ATTEMPTS = 30
const LONGEST_DELAY_MS = 2 * 3_600_000

/**
 * Queues work in the transaction of the change that needs it. A pending job of the same kind, subject
 * and target is the same work: it is not queued twice, since every job brings about the database's
 * state as it is when the job runs.
 */
export function enqueue(tx: Tx, services: Pick<Services, 'now' | 'random'>, job: NewJob): void {
  const now = services.now()
  const nextAt = job.at ?? now
  tx.later(
    tx
      .insert(jobs)
      .values({
        id: `job_${ulid(now, services.random)}`,
        kind: job.kind,
        node: job.node,
        subject: job.subject,
        target: job.target ?? '',
        clientName: job.client ?? null,
        payload: job.payload ?? {},
        state: 'pendiente',
        nextAt,
        createdAt: now,
      })
      .onConflictDoUpdate({
        target: [jobs.kind, jobs.subject, jobs.target],
        targetWhere: sql`state = 'pendiente'`,
        set: { nextAt: sql`min(next_at, ${nextAt.getTime()})`, payload: job.payload ?? {} },
      }),
  )
}

/** Queues work that this request's answer waits for. */
export function enqueueAndWait(ctx: WriteCtx, job: NewJob): void {
  enqueue(ctx.tx, ctx, job)
  ctx.queued.add(job.subject)
}

/** Jobs that a worker may take now: their time has come, or the worker that had them is silent. */
export const isDue = (now: Date) =>
  or(
    and(eq(jobs.state, 'pendiente'), hasCome(jobs.nextAt, now, LONGEST_DELAY_MS)),
    and(eq(jobs.state, 'en_curso'), hasCome(jobs.leaseUntil, now, 2 * LEASE_MS)),
  )

/**
 * Takes the next due job of this node (or of any), whose subject has no other running; null when none. `busy`
 * are the subjects that this process is at: their lease may be over, by a slow authority or a clock set forward,
 * while they still run.
 */
export async function claim(
  db: Database,
  node: string | null,
  kinds: string[],
  now: Date,
  busy: string[] = [],
  leaseMs = LEASE_MS,
): Promise<Job | null> {
  const other = alias(jobs, 'other')
  const running = db.read
    .select({ one: sql`1` })
    .from(other)
    .where(
      and(
        eq(other.subject, jobs.subject),
        eq(other.state, 'en_curso'),
        not(hasCome(other.leaseUntil, now, 2 * LEASE_MS)),
      ),
    )
  const mine = node === null ? sql`${jobs.node} is null` : or(eq(jobs.node, node), sql`${jobs.node} is null`)
  const next = db.read
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(isDue(now), mine, inArray(jobs.kind, kinds), notInArray(jobs.subject, busy), not(exists(running))),
    )
    .orderBy(asc(jobs.nextAt), asc(jobs.id))
    .limit(1)
  // A read first: an idle worker must not take the write lock every second.
  if (!(await next.get())) return null
  const rows = await db.write((tx) =>
    tx
      .update(jobs)
      .set({
        state: 'en_curso',
        leaseUntil: new Date(now.getTime() + leaseMs),
        fence: sql`fence + 1`,
        attempts: sql`attempts + 1`,
      })
      .where(sql`id = (${next})`)
      .returning(),
  )
  return rows[0] ?? null
}

/**
 * Ends the claims of workers that are known to be dead, so that their work goes on at once instead of when
 * the lease is over. Only for a process that knows that no other one works for this node; `alone` where no
 * other one works at all, so that what any worker may do is this node's too.
 */
export async function releaseClaims(db: Database, node: string, now: Date, alone: boolean): Promise<void> {
  await db.write(async (tx) => {
    const mine = alone ? or(eq(jobs.node, node), sql`${jobs.node} is null`) : eq(jobs.node, node)
    tx.later(
      tx
        .update(jobs)
        .set({ leaseUntil: now })
        .where(and(eq(jobs.state, 'en_curso'), mine)),
    )
  })
}

/** Prolongs a claim, unless another worker has taken the job over. */
export async function renew(db: Database, job: Job, now: Date, leaseMs = LEASE_MS): Promise<void> {
  await db.write(async (tx) => {
    tx.later(
      tx
        .update(jobs)
        .set({ leaseUntil: new Date(now.getTime() + leaseMs) })
        .where(and(eq(jobs.id, job.id), eq(jobs.fence, job.fence), eq(jobs.state, 'en_curso'))),
    )
  })
}

/** Whether this claim still holds; a worker that was overtaken must change nothing more. */
export async function holds(tx: Tx, job: Job): Promise<boolean> {
  const row = await tx
    .select({ fence: jobs.fence, state: jobs.state })
    .from(jobs)
    .where(eq(jobs.id, job.id))
    .get()
  return row?.fence === job.fence && row.state === 'en_curso'
}

/** Marks the job done in the same transaction as what its success changes. */
export function finish(tx: Tx, job: Job, now: Date): void {
  tx.later(
    tx
      .update(jobs)
      .set({ state: 'hecha', finishedAt: now, leaseUntil: null, error: null, step: null })
      .where(and(eq(jobs.id, job.id), eq(jobs.fence, job.fence))),
  )
}

/**
 * Puts a failed job back with a growing delay, or ends it as failed; a newer pending one replaces it. `error` is a
 * stored fault.
 */
export async function fail(tx: Tx, job: Job, error: string, now: Date): Promise<void> {
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
  const delay = BACKOFF_SECONDS[Math.min(job.attempts, BACKOFF_SECONDS.length) - 1] ?? 5
  const state = newer
    ? ('hecha' as const)
    : job.attempts >= MAX_ATTEMPTS
      ? ('fallida' as const)
      : ('pendiente' as const)
  tx.later(
    tx
      .update(jobs)
      .set({
        state,
        error,
        leaseUntil: null,
        nextAt: new Date(now.getTime() + delay * 1000),
        finishedAt: state === 'pendiente' ? null : now,
      })
      .where(and(eq(jobs.id, job.id), eq(jobs.fence, job.fence))),
  )
}
