import { cronHandler } from '../../lib/cron.ts'
import { runChecks } from '../../lib/mirror/checks.ts'
import { workDue } from '../../lib/mirror/queue.ts'
import { checkDeps, workerDeps } from '../../lib/mirror/services.ts'
import { sweep, sweepDue } from '../../lib/mirror/sweep.ts'
import { runAll } from '../../lib/mirror/worker.ts'

/** The mirror's queue: about one zone a minute for each account, and the second looks that are due. */
export default cronHandler({
  name: 'espejo',
  summary: 'Synchronise the next mirrored zone of each provider account',
  pattern: '*/5 * * * * *',
  ttlSeconds: 180,
  due: async ({ db, now }) => (await workDue(db.read, now())) || (await sweepDue(db.read)),
  async run(services) {
    await services.db.write((tx) => sweep(tx, services.now()))
    const comprobadas = await runChecks(checkDeps(services), 'due')
    const done = await runAll(workerDeps(services))
    // What a removal has freed, such as the account itself, need not wait for the next turn.
    await services.db.write((tx) => sweep(tx, services.now()))
    return { zonas: done.length, comprobadas }
  },
})
