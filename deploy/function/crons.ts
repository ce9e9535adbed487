import { Cron } from 'croner'
import type { Services } from '../../lib/endpoint/context.ts'
import { rootMessage } from '../../lib/text/root-message.ts'
import { type CronJob, runCron } from '../../lib/work/cron.ts'

/** The finest schedule that function hosts offer. */
const EVERY_MS = 60_000

/**
 * Runs the scheduled handlers whose time fell within the minute up to `at`; one that fails is logged
 * and keeps no other from running. Any number of hosts may do this at once: each handler takes a lease.
 */
export async function runCronsOf(services: Services, jobs: CronJob[], at: Date): Promise<void> {
  for (const job of jobs) {
    if (!isDue(job.pattern, at)) continue
    try {
      await runCron(services, job)
    } catch (error) {
      services.log('error', 'cron failed', { job: job.name, reason: rootMessage(error) })
    }
  }
}

/** Whether a cron pattern with seconds, in UTC, fires within the minute up to `at`. */
export function isDue(pattern: string, at: Date): boolean {
  const next = new Cron(pattern, { timezone: 'UTC' }).nextRun(new Date(at.getTime() - EVERY_MS))
  return next !== null && next.getTime() <= at.getTime()
}
