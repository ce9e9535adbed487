import type { Services } from '../endpoint/context.ts'
import type { Step } from '../endpoint/node-port.ts'
import type { Tx } from '../store/database.ts'
import type { Job } from './jobs.ts'
import type { RunningJob } from './running.ts'

/**
 * One kind of work. `run` touches the world, may be started again from its beginning at any time with
 * the same result, and answers what its success changes in the database; that is committed together
 * with the end of the job.
 */
export type JobKind = {
  kind: string
  /** Mostly waits for others: few of these run at once, so that quick work never waits for them. */
  slow?: true
  /** It runs programs of a client: these have places of their own, of which one client takes two at most. */
  caged?: true
  /** Long work: it tells how far it is, and ends, leaving nothing half made, once `job.signal` says that nobody wants it. */
  cancellable?: true
  /** An `AppError` that it throws is the answer to who asked for it: it is kept, and the job is not tried again. */
  refuses?: true
  /** How often it is begun before it has failed for good; 30 times unless told. */
  tries?: number
  run(services: Services, job: RunningJob, step: Step): Promise<(tx: Tx) => Promise<void>>
  /** What a failure leaves in the database beside the job's own row, such as a site's `error`; `reason` is a stored fault. */
  failed?(tx: Tx, services: Services, job: Job, reason: string): Promise<void>
  /** The same of one that was given up. */
  cancelled?(tx: Tx, services: Services, job: Job): Promise<void>
}

/** The change of a job whose success changes nothing more in the database. */
export const nothingMore = async (): Promise<void> => {}
