import { inArray, type SQL } from 'drizzle-orm'
import { applications, schedules, siteGuards, siteNames, sites } from '../../schema/tables.ts'
import type { KeptSettings } from '../endpoint/ports/bin.ts'
import type { Db } from '../store/database.ts'

type Rows<T extends { $inferSelect: object }> = T['$inferSelect'][]

/** What sites were set to, as it lies with their files in the bin: rows by table, as in the settings of a copy. */
export type KeptRows = {
  sites: Rows<typeof sites>
  names: Rows<typeof siteNames>
  guards: Rows<typeof siteGuards>
  tasks: Rows<typeof schedules>
  applications: Rows<typeof applications>
}

/** What the sites that meet a condition are set to, to be kept with their files. */
export async function settingsToKeep(db: Db, which: SQL): Promise<KeptSettings> {
  const ids = db.select({ id: sites.id }).from(sites).where(which)
  const [rows, names, guards, tasks, held] = await Promise.all([
    db.select().from(sites).where(which),
    db.select().from(siteNames).where(inArray(siteNames.siteId, ids)).orderBy(siteNames.position),
    db.select().from(siteGuards).where(inArray(siteGuards.siteId, ids)),
    db.select().from(schedules).where(inArray(schedules.siteId, ids)).orderBy(schedules.id),
    db.select().from(applications).where(inArray(applications.siteId, ids)),
  ])
  const kept: KeptRows = { sites: rows, names, guards, tasks, applications: held }
  return { content: `${JSON.stringify(kept, null, 1)}\n`, isWorthAlone: isWorth(kept) }
}

/** Whether a site is worth keeping for its settings, although it has no files. */
const isWorth = ({ sites: rows, guards, tasks }: KeptRows): boolean =>
  guards.length + tasks.length > 0 || rows.some(isSet)

const isSet = (site: KeptRows['sites'][number]): boolean =>
  site.singlePage ||
  site.httpsOnly ||
  [site.cache, site.webRoot, site.indexFiles, site.redirects, site.errorPages, site.phpSettings].some(
    (value) => value !== null,
  )
