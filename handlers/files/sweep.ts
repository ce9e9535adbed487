import { and, eq, ne } from 'drizzle-orm'
import { cronHandler } from '../../lib/work/cron.ts'
import { clients, sites } from '../../schema/tables.ts'

const DAY_MS = 86_400_000

/** Removes leftovers of uploads and operations that never ended; each node does its own. */
export default cronHandler({
  name: 'archivos',
  summary: 'Remove parts of uploads that nobody went on with, and what was long in a bin of files',
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
    const daysAgo = (days: number) => new Date(now().getTime() - days * DAY_MS)
    const than = { before: daysAgo(1), binBefore: daysAgo(config.trashDays) }
    return { restos: await driver.files.sweep(own, than) }
  },
})
