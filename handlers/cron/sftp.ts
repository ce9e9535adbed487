import { newUses, recordUses } from '../../lib/sftp/uses.ts'
import { cronHandler } from '../../lib/work/cron.ts'

/** When SFTP accounts were used last, as each node sees it. */
export default cronHandler({
  name: 'sftp',
  summary: 'Note when SFTP accounts were used last',
  pattern: '*/20 * * * * *',
  ttlSeconds: 60,
  everyNode: true,
  due: async (services) => (await newUses(services)).length > 0,
  run: async (services) => ({ usadas: await recordUses(services) }),
})
