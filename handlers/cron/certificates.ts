import { enqueueDueCertificates } from '../../lib/sites/certificates/due.ts'
import { cronHandler } from '../../lib/work/cron.ts'

export default cronHandler({
  name: 'certificados',
  summary: 'Queue the certificates that are due: first ones, renewals, and refusals whose time has come',
  pattern: '30 * * * * *',
  ttlSeconds: 60,
  everyNode: true,
  run: async (services) => ({ en_cola: await enqueueDueCertificates(services) }),
})
