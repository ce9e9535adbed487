import { lookForRelease } from '../../lib/updates/look.ts'
import { cronHandler } from '../../lib/work/cron.ts'

export default cronHandler({
  name: 'actualizaciones',
  summary: "Look for a newer version of the panel at the operator's source",
  pattern: '30 17 6 * * *',
  ttlSeconds: 60,
  due: async ({ config }) => config.updatesUrl !== null,
  async run(services) {
    const { newer, told } = await lookForRelease(services)
    return { nueva: Number(newer), avisos: Number(told) }
  },
})
