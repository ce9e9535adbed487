import { and, eq, isNull, or } from 'drizzle-orm'
import { cronHandler } from '../../lib/work/cron.ts'
import { isClaimable } from '../../lib/work/jobs.ts'
import { jobs } from '../../schema/tables.ts'

/** Finds jobs that another process committed, or whose next try is due. */
export default cronHandler({
  name: 'tareas',
  summary: 'Start the background work that is due',
  pattern: '* * * * * *',
  ttlSeconds: 30,
  everyNode: true,
  async due({ db, config, now }) {
    const mine = config.node === null ? isNull(jobs.node) : or(eq(jobs.node, config.node), isNull(jobs.node))
    const row = await db.read
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(mine, isClaimable(now())))
      .limit(1)
      .get()
    return row !== undefined
  },
  async run({ work }) {
    return { hechas: await work.runDue() }
  },
})
