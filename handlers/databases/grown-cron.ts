import { measureGrown } from '../../lib/databases/measure.ts'
import { cronHandler } from '../../lib/work/cron.ts'

/** A statement writes hundreds of megabytes between two measurements of all. */
export default cronHandler({
  name: 'bases_crecidas',
  summary: 'Measure the databases of clients whose files grow fast, and hold those over their plan',
  pattern: '* * * * * *',
  ttlSeconds: 300,
  everyNode: true,
  due: async ({ driver }) => driver?.databases?.hasGrown() ?? false,
  run: async (services) => ({ medidas: await measureGrown(services) }),
})
