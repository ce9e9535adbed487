import { and, eq, type SQL } from 'drizzle-orm'
import { clients, plans, sites, usage } from '../../schema/tables.ts'
import { visibleTo } from '../clients/clients.ts'
import { elsewhere } from '../clients/decide.ts'
import type { Ctx, ReadCtx, Services } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import type { FilePlace, SiteFiles } from '../endpoint/ports/files.ts'
import type { Db } from '../store/database.ts'
import { decideFiles, type FilesFacts } from './decide.ts'
import { withNumbers } from './room.ts'

/** Sites with what decides on their files. */
export const selectFiles = (db: Db, which: SQL | undefined): Promise<FilesFacts[]> =>
  db
    .select({
      site: sites,
      client: clients,
      plan: plans,
      used: { diskBytes: usage.diskBytes, inodes: usage.inodes },
    })
    .from(sites)
    .innerJoin(clients, eq(clients.id, sites.clientId))
    .leftJoin(plans, eq(plans.id, clients.planId))
    .leftJoin(usage, eq(usage.clientId, clients.id))
    .where(which)

/** A site whose files are asked for; undefined where the actor may not know of it. */
export async function filesFacts(
  { tx, actor, audit }: Pick<Ctx, 'tx' | 'actor' | 'audit'>,
  domain: string,
): Promise<FilesFacts | undefined> {
  const [facts] = await selectFiles(tx, and(eq(sites.domain, domain), visibleTo(actor)))
  if (facts) Object.assign(audit, { client: facts.client.name, target: facts.site.domain })
  return facts
}

type Asked = {
  domain: string
  path: string
  /** The request may need more room. */
  grows?: boolean
}

type Found = {
  files: SiteFiles
  at: FilePlace
  room: number | null
  site: FilesFacts['site']
  /** Work that makes files: 507 with the numbers of the plan where there is no room for it. */
  growing<T>(work: Promise<T>): Promise<T>
}

/** The files of a site of this node, and a place among them. */
export async function siteFiles(
  { driver, config }: Pick<Services, 'driver' | 'config'>,
  ctx: Pick<ReadCtx, 'tx' | 'actor' | 'audit' | 'unrepeated'>,
  { domain, path, grows = false }: Asked,
): Promise<Found> {
  const [facts] = await Promise.all([filesFacts(ctx, domain), ctx.unrepeated])
  const found = decideFiles(facts, { here: config.node, grows })
  const { site, client, room } = found
  // On a host without a node the files are elsewhere; a node without sites' files has no services.
  if (!driver) throw elsewhere(client)
  if (!driver.files) throw new AppError('no_disponible', { retryAfterSeconds: 60 })
  const at = { clientId: client.id, siteId: site.id, domain: site.domain, path }
  return { files: driver.files, at, room, site, growing: (work) => withNumbers(driver, found, work) }
}
