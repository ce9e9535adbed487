import { measureDatabases } from '../../lib/databases/measure.ts'
import { cronHandler } from '../../lib/work/cron.ts'

export default cronHandler({
  name: 'bases',
  summary: 'Measure the databases of this node, and hold those over their plan',
  pattern: '30 * * * * *',
  ttlSeconds: 300,
  everyNode: true,
  run: async (services) => ({ medidas: await measureDatabases(services) }),
})
