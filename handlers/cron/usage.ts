import { measureNode } from '../../lib/usage/measure.ts'
import { cronHandler } from '../../lib/work/cron.ts'

export default cronHandler({
  name: 'uso',
  summary: "Measure what this node's clients use, and warn those near their plan's limits",
  pattern: '0 */15 * * * *',
  ttlSeconds: 300,
  everyNode: true,
  run: async (services) => ({ medidos: await measureNode(services) }),
})
