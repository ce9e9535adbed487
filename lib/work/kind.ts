import type { Services } from '../endpoint/context.ts'
import type { Step } from '../endpoint/node-port.ts'
import type { Tx } from '../store/database.ts'
import type { Job } from './jobs.ts'
import type { RunningJob } from './running.ts'

/**
 * One kind of job. `run` changes the outside world, may be started again from its beginning at any time with the same
 * result, and returns what its success changes in the database; that is committed together with the end of the job.
 */
export type JobKind = {
  kind: string
  /** It mostly waits for others: few of these run at once, so that quick jobs never wait for them. */
  slow?: true
  /** It runs programs of a client. Such jobs have slots of their own, at most two for one client. */
  caged?: true
  /** A long job: it reports its progress and, once `job.signal` is aborted, ends and leaves nothing half done. */
  cancellable?: true
  /**
   * An `AppError` that it throws is the answer to whoever asked for it: it is stored, and the job is not tried again.
   */
  refuses?: true
  /**
   * What was asked for is forgotten once it is done, cancelled or refused: customers choose how much they ask for, and
   * the panel's database is nobody's quota.
   */
  forgets?: true
  /** How often it is started before it fails for good; 30 times by default. */
  tries?: number | ((job: Pick<Job, 'payload'>) => number)
  run(services: Services, job: RunningJob, step: Step): Promise<(tx: Tx) => Promise<void>>
  /** What a failure changes in the database besides the job's own row, such as a site's `error`. */
  failed?(tx: Tx, services: Services, job: FailedJob): Promise<void>
  /** The same for a cancelled job. */
  cancelled?(tx: Tx, services: Services, job: Job): Promise<void>
  /** Called when the job ends without success for good: cancelled, refused, or out of attempts. */
  ended?(tx: Tx, job: Job, services: Services): Promise<void>
}

/** A job with the reason of this failure, as a stored fault. */
export type FailedJob = Job & { reason: string }

/** For a job whose success changes nothing else in the database. */
export const nothingMore = async (): Promise<void> => {}
