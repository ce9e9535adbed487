import { measureChanged } from '../../lib/usage/disk.ts'
import { cronHandler } from '../../lib/work/cron.ts'

/** What was written or deleted counts at once, not with the next measurement of all. */
export default cronHandler({
  name: 'archivos_cambiados',
  summary: 'Measure the clients whose files were changed through the panel',
  pattern: '* * * * * *',
  ttlSeconds: 300,
  everyNode: true,
  due: async ({ driver }) => driver?.files?.hasChanged() ?? false,
  run: async (services) => ({ medidos: await measureChanged(services) }),
})
