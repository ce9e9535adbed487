import { queueNightly } from '../../lib/backups/nightly.ts'
import { cronHandler } from '../../lib/work/cron.ts'

export default cronHandler({
  name: 'copias',
  summary: "Copy this node's clients at night, each in a turn of its own",
  pattern: '20 */5 * * * *',
  ttlSeconds: 300,
  everyNode: true,
  run: async (services) => ({ pedidas: await queueNightly(services) }),
})
