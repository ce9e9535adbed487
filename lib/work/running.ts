import { and, eq } from 'drizzle-orm'
import { type JobProgress, jobs } from '../../schema/tables.ts'
import type { Database } from '../store/database.ts'
import type { Job } from './jobs.ts'

/** How often a long job records its progress and checks whether it is still wanted. */
const LOOK_MS = 500

/** The reason of a job that was cancelled. */
class Cancelled extends Error {}

/**
 * A job while it runs. One that was cancelled before it began only clears away what an earlier run left, and throws.
 */
export type RunningJob = Job & {
  /** Aborted when the job is cancelled; only for kinds that are `cancellable`. */
  signal: AbortSignal
  /** Reports progress; may be called as often as one likes. */
  reached(progress: JobProgress): void
  /** Sets the result, which everybody sees who may see the job: no secret. */
  answers(result: Record<string, unknown>): void
  /** Has it go on elsewhere instead of ending: it is queued again, for that node and under that subject. */
  goesOn(next: NextLeg): void
}

type NextLeg = Pick<Job, 'node' | 'subject'>

type Told = { progress: JobProgress | null; result: Record<string, unknown> | null; next: NextLeg | null }

const runningJob = (job: Job, told: Told, signal: AbortSignal): RunningJob => ({
  ...job,
  signal,
  reached(progress) {
    told.progress = progress
  },
  answers(result) {
    told.result = result
  },
  goesOn(next) {
    told.next = next
  },
})

/** The object for a job's run, with what is exchanged with the database meanwhile. */
export function watchJob(db: Database, job: Job) {
  const told: Told = { progress: null, result: null, next: null }
  const abort = new AbortController()
  if (job.cancelledAt) abort.abort(new Cancelled())
  const running = runningJob(job, told, abort.signal)
  const look = async () => {
    const { progress } = told
    told.progress = null
    if (progress) await keepProgress(db, job, progress)
    if (await isUnwanted(db, job)) abort.abort(new Cancelled())
  }
  return {
    running,
    result: () => told.result,
    next: () => told.next,
    isCancelled: () => abort.signal.aborted,
    async during<T>(run: () => Promise<T>): Promise<T> {
      const timer = setInterval(() => void look().catch(() => {}), LOOK_MS)
      try {
        return await run()
      } finally {
        clearInterval(timer)
      }
    },
  }
}

async function keepProgress(db: Database, job: Job, progress: JobProgress): Promise<void> {
  await db.write(async (tx) => {
    tx.later(tx.update(jobs).set({ progress }).where(isSame(job)))
  })
}

async function isUnwanted(db: Database, job: Job): Promise<boolean> {
  const row = await db.read.select({ at: jobs.cancelledAt }).from(jobs).where(isSame(job)).get()
  return row?.at != null
}

const isSame = (job: Job) => and(eq(jobs.id, job.id), eq(jobs.fence, job.fence))
