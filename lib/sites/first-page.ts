import { eq } from 'drizzle-orm'
import { siteNames, sites } from '../../schema/tables.ts'
import { elsewhere, requireOwnNode } from '../clients/decide.ts'
import type { ReadCtx, Services } from '../endpoint/context.ts'
import { AppError } from '../endpoint/errors.ts'
import type { FirstPage } from '../endpoint/ports/pages.ts'
import { chargeCaller } from '../store/charge.ts'
import { findSite } from './facts.ts'

/** Each takes a worker of the site's own programs. */
const PER_MINUTE = 20

/** Asks this node for a site's first page; throws where it cannot, or the caller has it asked too often. */
export async function firstPage(services: Services, ctx: ReadCtx, domain: string): Promise<FirstPage> {
  chargeCaller(services, ctx.actor, { name: 'portada', limit: PER_MINUTE })
  const names = ctx.tx
    .select({ name: siteNames.name })
    .from(siteNames)
    .innerJoin(sites, eq(sites.id, siteNames.siteId))
    .where(eq(sites.domain, domain))
  const [{ client }, known] = await Promise.all([findSite(ctx.tx, ctx.actor, domain), names])
  requireOwnNode(client, services.config.node)
  const { driver } = services
  if (!driver) throw elsewhere(client)
  if (driver.firstPage === null) throw new AppError('no_disponible', { retryAfterSeconds: 60 })
  return driver.firstPage({ domain, names: known.map(({ name }) => name) })
}
