import { and, eq, ne } from 'drizzle-orm'
import { cronHandler } from '../../lib/work/cron.ts'
import { clients, sites } from '../../schema/tables.ts'

const DAY_MS = 86_400_000

/** Removes leftovers of uploads and operations that never ended; each node does its own. */
export default cronHandler({
  name: 'archivos',
  summary: 'Remove parts of uploads that nobody went on with',
  pattern: '40 25 * * * *',
  ttlSeconds: 3600,
  everyNode: true,
  async run({ db, driver, config, now }) {
    if (!driver?.files || config.node === null) return { restos: 0 }
    const own = await db.read
      .select({ clientId: sites.clientId, siteId: sites.id, domain: sites.domain })
      .from(sites)
      .innerJoin(clients, eq(clients.id, sites.clientId))
      .where(and(eq(clients.node, config.node), eq(clients.state, 'activo'), ne(sites.state, 'eliminando')))
    return { restos: await driver.files.sweep(own, new Date(now().getTime() - DAY_MS)) }
  },
})
