import { followNode } from '../../lib/dns/follow.ts'
import { enqueueAudit } from '../../lib/dns/job.ts'
import { cronHandler } from '../../lib/work/cron.ts'

/** The panel's tables are the truth: a daily run corrects whatever differs on the node's DNS server. */
export default cronHandler({
  name: 'zonas',
  summary:
    "Bring the system's records to this node's addresses and name servers, and all zones to the DNS server",
  pattern: '0 40 3 * * *',
  ttlSeconds: 60,
  everyNode: true,
  async run(services) {
    const cambiadas = await followNode(services)
    await enqueueAudit(services)
    return { cambiadas, hechas: await services.work.runDue() }
  },
})
