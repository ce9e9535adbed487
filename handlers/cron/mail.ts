import { mailsDue, sendDueMails } from '../../lib/mail/outbox.ts'
import { cronHandler } from '../../lib/work/cron.ts'

/** Hands over the mails that are due; a node also does so at once after each change that queued one. */
export default cronHandler({
  name: 'correo',
  summary: 'Send the mails that are due',
  pattern: '*/2 * * * * *',
  ttlSeconds: 300,
  leaseByNode: true,
  due: mailsDue,
  run: async (services) => ({ enviados: await sendDueMails(services) }),
})
