import { cronHandler } from '../../lib/cron.ts'
import { followNode } from '../../lib/dns/follow.ts'
import { queueAudit } from '../../lib/dns/work.ts'

/** The panel's tables are the truth: whatever differs on the node's DNS server is put right daily. */
export default cronHandler({
  name: 'zonas',
  summary:
    "Bring the system's records to this node's addresses and name servers, and all zones to the DNS server",
  pattern: '0 40 3 * * *',
  ttlSeconds: 60,
  everyNode: true,
  async run(services) {
    const cambiadas = await followNode(services)
    await queueAudit(services)
    return { cambiadas, hechas: await services.work.runDue() }
  },
})
