import { isHostUntold, tellHost } from '../../lib/nodes/own-names.ts'
import { isLookDue, lookAtNames } from '../../lib/proof/look.ts'
import { cronHandler } from '../../lib/work/cron.ts'

/** Looks at new zones and names within a minute, and at each when it is due, in case the daily look missed it. */
export default cronHandler({
  name: 'nombres',
  summary: 'Ask the resolvers where new zones are delegated to and whether granted names are proven',
  pattern: '20 * * * * *',
  ttlSeconds: 120,
  due: async (services) => (await isHostUntold(services)) || (await isLookDue(services)),
  async run(services) {
    await tellHost(services)
    return { nombres: await lookAtNames(services, 'due') }
  },
})
