import { relayCustomersMail } from '../../lib/mail/relay.ts'
import { cronHandler } from '../../lib/work/cron.ts'

/** Passes on the mail that customers' programs left; each node does its own. */
export default cronHandler({
  name: 'envios',
  summary: "Pass on the mail of customers' programs",
  pattern: '*/10 * * * * *',
  ttlSeconds: 300,
  everyNode: true,
  run: async (services) => ({ enviados: await relayCustomersMail(services) }),
})
