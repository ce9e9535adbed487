import { cronHandler } from '../../lib/work/cron.ts'

/** Customers' programs and visitors may write without end, so each node bounds the logs on its own disk. */
export default cronHandler({
  name: 'registros',
  summary: "Put clients' PHP logs aside that have grown too large, and remove old logs of sites",
  pattern: '45 */5 * * * *',
  ttlSeconds: 300,
  everyNode: true,
  run: async ({ driver }) => ({ apartados: (await driver?.boundLogs()) ?? 0 }),
})
