import { eq, sql } from 'drizzle-orm'
import { siteGuards, siteNames, sites } from '../../schema/tables.ts'
import { clientsPlan } from '../plans/room.ts'
import type { Site } from '../sites/decide.ts'
import { ownerOf } from '../sites/facts.ts'
import { ORDINARY_PHP } from '../sites/php-shapes.ts'
import type { Db } from '../store/database.ts'
import type { CurrentSettings } from './merge.ts'

/** What the settings of a site depend on besides its own row. */
export type SettingsFacts = {
  names: string[]
  guards: { path: string; user: string }[]
  memoryBytes: number | null
}

export async function settingsFacts(db: Db, domain: string): Promise<SettingsFacts> {
  const own = sql`(select ${sites.id} from ${sites} where ${sites.domain} = ${domain})`
  const [names, guards, plan] = await Promise.all([
    db.select({ name: siteNames.name }).from(siteNames).where(eq(siteNames.siteId, own)),
    db
      .select({ path: siteGuards.path, user: siteGuards.user })
      .from(siteGuards)
      .where(eq(siteGuards.siteId, own)),
    clientsPlan(db, ownerOf(db, domain)),
  ])
  return { names: names.map(({ name }) => name), guards, memoryBytes: plan?.memoryBytes ?? null }
}

export const currentSettings = (site: Site, { guards, memoryBytes }: SettingsFacts): CurrentSettings => ({
  redirects: site.redirects ?? [],
  guards,
  errorPages: { ...site.errorPages },
  indexFiles: site.indexFiles,
  cache: site.cache,
  php: site.phpSettings,
  ordinaryPhp: ORDINARY_PHP,
  memoryBytes,
})
