import { cronHandler } from '../../lib/work/cron.ts'

const DAY_MS = 86_400_000

/** Removes deleted files for good once they are old enough; each node looks after its own. */
export default cronHandler({
  name: 'papelera',
  summary: 'Purge deleted files whose time is over',
  pattern: '15 * * * * *',
  ttlSeconds: 3600,
  everyNode: true,
  async run({ driver, config, now }) {
    const before = new Date(now().getTime() - config.trashDays * DAY_MS)
    return { purgados: (await driver?.purgeTrash(before)) ?? 0 }
  },
})
