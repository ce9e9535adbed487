import { and, eq } from 'drizzle-orm'
import { plans, sites, usage } from '../../../schema/tables.ts'
import { AppError } from '../../endpoint/errors.ts'
import { unasked } from '../../proof/decide-proven.ts'
import { queueNewSite } from '../../sites/commands.ts'
import { decideSite, type Site } from '../../sites/decide.ts'
import { newSiteFacts } from '../../sites/facts.ts'
import { queueGuards } from '../../sites/guards.ts'
import type { Db } from '../../store/database.ts'
import { requireDriver } from '../../work/driver.ts'
import type { Importing, Row } from '../importing.ts'
import type { Wanted } from '../planned.ts'
import { ready } from '../ready.ts'
import { change } from './change.ts'

/** A site with its files, which is served empty until they are there as a whole. */
export async function makeSite(importing: Importing, row: Row, wanted: Wanted<'sitio'>): Promise<void> {
  const { services, imports, job, step, client, archive } = importing
  const find = (db: Db): Promise<Site | undefined> =>
    db
      .select()
      .from(sites)
      .where(and(eq(sites.domain, row.name), eq(sites.clientId, client.id)))
      .get()
  if (!row.made) await step('import.site', () => create(importing, row, wanted))
  await ready(importing, async (db) => {
    const state = (await find(db))?.state
    return state === 'activo' ? true : state === 'preparando' ? null : false
  })
  const site = await find(services.db.read)
  if (!site) throw new AppError('sitio_no_existe')
  const place = { clientId: client.id, siteId: site.id, domain: site.domain }
  const { content, databases } = wanted
  await step('import.files', async () => {
    const room = await roomOf(importing)
    const id = `${job.id}-${row.id}`
    const { links } = await imports.placeSite(archive, {
      ...{ id, site: place, content, databases, room },
      signal: job.signal,
    })
    if (links > 0)
      services.log('info', 'links left out', {
        job: job.id,
        site: site.domain,
        reason: `${links} links of an archive`,
      })
  })
  await requireDriver(services).emptyPages(place, step)
  await change(importing, row, { mark: 'hecho', run: async () => {} })
}

const create = (importing: Importing, row: Row, { aliases, php, guards }: Wanted<'sitio'>): Promise<void> =>
  change(importing, row, {
    mark: 'made',
    async run(ctx) {
      const { client } = importing
      const asked = { domain: row.name, aliases, force: false }
      const by = { proof: unasked(ctx.keys, false), language: client.language }
      const site = decideSite(await newSiteFacts(ctx, client.id, asked), client, { ...asked, ...by })
      if (site === null) throw new AppError('ya_existe')
      // Before any file is served.
      ctx.tx.later(...queueNewSite(ctx, client, { ...site, php }), ...queueGuards(ctx, site, guards))
    },
  })

/** Bytes that are left in the client's plan, as last measured; null for no limit. */
async function roomOf({ services, client }: Importing): Promise<number | null> {
  const row = await services.db.read
    .select({ limit: plans.diskBytes, used: usage.diskBytes })
    .from(plans)
    .leftJoin(usage, eq(usage.clientId, client.id))
    .where(eq(plans.id, client.planId ?? -1))
    .get()
  return row?.limit == null ? null : Math.max(row.limit - (row.used ?? 0), 0)
}
