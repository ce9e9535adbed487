import { deliverDue, deliveriesDue } from '../../lib/webhooks/deliver.ts'
import { cronHandler } from '../../lib/work/cron.ts'

export default cronHandler({
  name: 'avisos',
  summary: 'Deliver the events that webhooks wait for',
  pattern: '*/2 * * * * *',
  ttlSeconds: 60,
  due: deliveriesDue,
  run: async (services) => ({ entregadas: await deliverDue(services) }),
})
