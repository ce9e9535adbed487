import { cronHandler } from '../../lib/cron.ts'
import { queueAudit } from '../../lib/dns/work.ts'

/** The panel's tables are the truth: whatever differs on the node's DNS server is put right daily. */
export default cronHandler({
  name: 'zonas',
  summary: 'Compare all zones with what the DNS server holds, and repair what differs',
  pattern: '0 40 3 * * *',
  ttlSeconds: 60,
  everyNode: true,
  async run(services) {
    await queueAudit(services)
    return { hechas: await services.work.runDue() }
  },
})
