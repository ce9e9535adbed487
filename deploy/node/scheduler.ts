import { cron } from '@elysiajs/cron'
import { Elysia } from 'elysia'
import type { Services } from '../../lib/endpoint/context.ts'
import { rootMessage } from '../../lib/text/root-message.ts'
import { type CronJob, runCron } from '../../lib/work/cron.ts'

/** Runs the scheduled handlers on this node; a throw is logged and harmless, a run never overlaps itself. */
export function startScheduler(services: Services, jobs: CronJob[]): { stop(): void } {
  const app = new Elysia()
  for (const job of jobs) {
    app.use(
      cron({
        name: job.name,
        pattern: job.pattern,
        protect: true,
        run: () =>
          runCron(services, job).then(
            () => {},
            (error) => services.log('error', 'cron failed', { job: job.name, reason: rootMessage(error) }),
          ),
      }),
    )
  }
  // The plugin puts its timers there, under names that its types know only for literals.
  const { cron: timers } = app.store as { cron: Record<string, { stop(): void }> }
  return {
    stop() {
      for (const timer of Object.values(timers)) timer.stop()
    },
  }
}
