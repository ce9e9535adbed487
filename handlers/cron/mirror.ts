import type { Services } from '../../lib/endpoint/context.ts'
import { runChecks } from '../../lib/mirror/checks.ts'
import { workDue } from '../../lib/mirror/queue.ts'
import { checkDeps, workerDeps } from '../../lib/mirror/services.ts'
import { queueSweep, sweepDue } from '../../lib/mirror/sweep.ts'
import { runAll } from '../../lib/mirror/worker.ts'
import { cronHandler } from '../../lib/work/cron.ts'

/** Runs the mirror's queue, about one zone a minute for each account, and the repeated checks that are due. */
export default cronHandler({
  name: 'espejo',
  summary: 'Synchronise the next mirrored zone of each provider account',
  pattern: '*/5 * * * * *',
  ttlSeconds: 180,
  due: async ({ db, now }) => (await workDue(db.read, now())) || (await sweepDue(db.read)),
  async run(services) {
    await sweep(services)
    const comprobadas = await runChecks(checkDeps(services), 'due')
    const done = await runAll(workerDeps(services))
    // A removal may free the account itself, which need not wait for the next turn.
    await sweep(services)
    return { zonas: done.length, comprobadas }
  },
})

const sweep = ({ db, now }: Services) => db.write(async (tx) => tx.later(...queueSweep(tx, now())))
