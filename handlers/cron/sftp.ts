import { newUses, recordUses } from '../../lib/sftp/uses.ts'
import { cronHandler } from '../../lib/work/cron.ts'

/** Records when SFTP accounts were last used; each node does its own. */
export default cronHandler({
  name: 'sftp',
  summary: 'Note when SFTP accounts were used last',
  pattern: '*/20 * * * * *',
  ttlSeconds: 60,
  everyNode: true,
  due: async (services) => (await newUses(services)).length > 0,
  run: async (services) => ({ usadas: await recordUses(services) }),
})
