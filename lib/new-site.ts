import { eq } from 'drizzle-orm'
import { sites } from '../schema/tables.ts'
import type { Client } from './clients.ts'
import type { WriteCtx } from './context.ts'
import { addSiteZone } from './dns/new-zone.ts'
import { AppError } from './errors.ts'
import { consumptionOf, planOf, requireRoom, requireSpace } from './plans.ts'
import { addSite, namesOf, requireDistinct, requireNamesFree, type Site } from './sites.ts'

export type WantedSite = { domain: string; aliases: string[] | undefined; force: boolean }

/**
 * Creates a client's site after checking its names, the plan's limits and the space left; or finds the
 * one that the same client already has for the domain. Its aliases stay as they are then.
 */
export async function createSite(
  ctx: WriteCtx,
  client: Client,
  wanted: WantedSite,
): Promise<{ site: Site; isNew: boolean }> {
  const existing = await ctx.tx.select().from(sites).where(eq(sites.domain, wanted.domain)).get()
  if (existing) {
    if (existing.clientId !== client.id || existing.state === 'eliminando')
      throw new AppError('dominio_ocupado')
    return { site: existing, isNew: false }
  }
  const aliases = wanted.aliases ?? []
  requireDistinct(ctx, wanted.domain, aliases)
  const names = [
    { field: 'domain', name: wanted.domain },
    ...aliases.map((name, i) => ({ field: `aliases.${i}`, name })),
  ]
  await requireNamesFree(ctx, names, client, wanted.force)
  const plan = await planOf(ctx.tx, client)
  const consumed = await consumptionOf(ctx.tx, client.id, ctx.now().toISOString().slice(0, 10))
  requireRoom(plan, consumed, 'sitios', 1)
  requireRoom(plan, consumed, 'aliases', aliases.length)
  requireSpace(plan, consumed)
  const site = await addSite(ctx, client, { domain: wanted.domain, aliases, php: defaultPhp(ctx, plan) })
  await addSiteZone(ctx, client, site)
  return { site, isNew: true }
}

/** Changes a site's aliases under the same rules. */
export async function checkNewAliases(
  ctx: WriteCtx,
  client: Client,
  site: Site,
  aliases: string[],
): Promise<void> {
  requireDistinct(ctx, site.domain, aliases)
  const known = new Set(await namesOf(ctx.tx, site.id))
  const added = aliases.flatMap((name, i) => (known.has(name) ? [] : [{ field: `aliases.${i}`, name }]))
  await requireNamesFree(ctx, added, client, false)
  const plan = await planOf(ctx.tx, client)
  const consumed = await consumptionOf(ctx.tx, client.id, ctx.now().toISOString().slice(0, 10))
  requireRoom(plan, consumed, 'aliases', aliases.length - (known.size - 1))
}

/** The newest PHP of the node, where it has one and the plan includes it. */
function defaultPhp(ctx: WriteCtx, plan: { functions: string[] } | null): string | null {
  if (plan && !plan.functions.includes('php')) return null
  return ctx.driver?.phpVersions().at(-1) ?? null
}
