import { shortenAudit } from '../../lib/audit/shorten.ts'
import { shortenCallers } from '../../lib/identity/addresses.ts'
import { recordTraffic } from '../../lib/usage/traffic.ts'
import { cronHandler } from '../../lib/work/cron.ts'

const DAY_MS = 86_400_000

/** Nothing by itself: how long a visitor's address is needed is for the operator to say. */
export default cronHandler({
  name: 'direcciones',
  summary: 'Shorten the addresses of visitors and callers that are older than the operator allows',
  pattern: '10 40 4 * * *',
  ttlSeconds: 300,
  everyNode: true,
  due: async ({ config }) => config.addressDays !== null,
  async run(services) {
    const { config, driver, now } = services
    if (config.addressDays === null || config.node === null) return {}
    const before = new Date(now().getTime() - config.addressDays * DAY_MS)
    // Old logs of the web server go: what they tell of traffic is taken first.
    if (driver) await recordTraffic(services, driver, config.node)
    const logs = (await driver?.shortenLogs(before)) ?? 0
    const [callers, rows] = await Promise.all([
      shortenCallers(services, before),
      shortenAudit(services, before),
    ])
    return { registros: logs, direcciones: callers, auditoria: rows }
  },
})
