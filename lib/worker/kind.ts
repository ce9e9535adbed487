import type { Services } from '../context.ts'
import type { Tx } from '../database.ts'
import type { Job } from '../jobs.ts'
import type { Step } from '../node.ts'

/**
 * One kind of work. `run` touches the world, may be started again from its beginning at any time with
 * the same result, and answers what its success changes in the database; that is committed together
 * with the end of the job.
 */
export type JobKind = {
  kind: string
  /** It waits for others most of its time: few of these run at once, so that quick work never waits for them. */
  slow?: true
  run(services: Services, job: Job, step: Step): Promise<(tx: Tx) => Promise<void>>
  /** What a failure leaves in the database beside the job's own row, such as a site's `error`; `reason` is a stored fault. */
  failed?(tx: Tx, services: Services, job: Job, reason: string): Promise<void>
}

/** For work whose success changes nothing more. */
export const nothingMore = async (): Promise<void> => {}
