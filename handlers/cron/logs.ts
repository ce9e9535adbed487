import { cronHandler } from '../../lib/cron.ts'

/** Customers' programs write as much as they like; each node looks after its own. */
export default cronHandler({
  name: 'registros',
  summary: "Put clients' PHP logs aside that have grown too large",
  pattern: '45 */5 * * * *',
  ttlSeconds: 300,
  everyNode: true,
  run: async ({ driver }) => ({ apartados: (await driver?.boundLogs()) ?? 0 }),
})
